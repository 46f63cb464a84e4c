import packageJson from "../package.json" with { type: "json" };

/** The version of this Fermata, as its package says. */
export const fermataVersion: string = packageJson.version;
