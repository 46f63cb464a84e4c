import { fileURLToPath } from "node:url";

/** The checkout that is tried. */
export const root = fileURLToPath(new URL("../..", import.meta.url));
