import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { fermata } from "../cli/fermata.ts";
import { describeWith, run, runOk } from "../interop/programs.ts";
import { pythonTool } from "./python-tools.ts";

const sample = "deploy/samples/deployment";

/** kubectl brings kustomize; either will do. */
const [renderer, args] =
  spawnSync("kubectl", ["version", "--client"]).status === 0
    ? (["kubectl", ["kustomize", sample]] as const)
    : (["kustomize", ["build", sample]] as const);

describeWith(renderer, ["version", ...(renderer === "kubectl" ? ["--client"] : [])], () => {
  const folder = mkdtempSync(join(tmpdir(), "fermata-manifests-"));
  const rendered = join(folder, "rendered.yaml");
  let text = "";
  let manifests: readonly Manifest[] = [];
  beforeAll(async () => {
    text = await runOk(renderer, args);
    writeFileSync(rendered, text);
    manifests = parseAllDocuments(text).map((document) => document.toJS());
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const pod = () => podOf(manifests);
  const sidecar = () => pod().initContainers[0];

  it("renders a host's Deployment and the sidecar's config", () => {
    expect(manifests.map(({ kind }) => kind)).toEqual(["ConfigMap", "Deployment"]);
  });

  it("puts the sidecar before the host's own init containers, and keeps it running", () => {
    expect(pod().initContainers.map(({ name }) => name)).toEqual(["fermata", "warm-up"]);
    expect(sidecar()).toMatchObject({ name: "fermata", restartPolicy: "Always", args: ["serve"] });
    expect(sidecar()).not.toHaveProperty("lifecycle");
  });

  it.each(["startupProbe", "readinessProbe", "livenessProbe"])("asks the admin listener by the %s", (probe) => {
    const path = probe === "livenessProbe" ? "/livez" : "/readyz";
    expect(sidecar()).toMatchObject({
      [probe]: { httpGet: { path, port: "fermata-admin" } },
      ports: [{ name: "fermata-admin", containerPort: 50552 }],
    });
  });

  it("asks for little, limits the memory and never the CPU", () => {
    expect(sidecar()?.resources).toEqual({ requests: { cpu: "50m", memory: "160Mi" }, limits: { memory: "256Mi" } });
  });

  it("has a socket folder in memory, which host and sidecar see at one path", () => {
    expect(pod().volumes).toContainEqual({ name: "fermata-socket", emptyDir: { medium: "Memory", sizeLimit: "1Mi" } });
    for (const container of [sidecar(), pod().containers[0]]) {
      expect(container?.volumeMounts).toContainEqual({ name: "fermata-socket", mountPath: "/run/fermata" });
    }
    expect(pod().securityContext).toEqual({ supplementalGroups: [65532] });
  });

  // The restricted level of the Pod Security Standards, field by field.
  it.each([
    { field: "runAsNonRoot", expected: true },
    { field: "allowPrivilegeEscalation", expected: false },
    { field: "capabilities", expected: { drop: ["ALL"] } },
    { field: "seccompProfile", expected: { type: "RuntimeDefault" } },
    { field: "privileged", expected: undefined },
    { field: "procMount", expected: undefined },
  ])("sets $field for every container as the restricted profile wants it", ({ field, expected }) => {
    const found = [...pod().initContainers, ...pod().containers].map(({ securityContext }) => securityContext?.[field]);
    expect(found).toEqual(found.map(() => expected));
  });

  it.each(["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace"])("does not set %s", (field) => {
    expect(pod()).not.toHaveProperty(field);
  });

  it("mounts only volumes that the restricted profile allows", () => {
    const kinds = pod().volumes.flatMap(({ name, ...kind }) => Object.keys(kind));
    expect(new Set(kinds)).toEqual(new Set(["emptyDir", "configMap"]));
  });

  it("runs the sidecar as the image's user, with a root that it cannot write", () => {
    expect(sidecar()?.securityContext).toMatchObject({
      runAsUser: 65532,
      runAsGroup: 65532,
      readOnlyRootFilesystem: true,
    });
  });

  it("gives the sidecar a config that it accepts", async () => {
    const data = manifests.find(({ kind }) => kind === "ConfigMap")?.data ?? {};
    const config = join(folder, "fermata.yaml");
    writeFileSync(config, data["fermata.yaml"] ?? "");
    const given = Object.fromEntries((sidecar()?.env ?? []).map(({ name, value = "192.0.2.7" }) => [name, value]));
    const env = {
      ...given,
      FERMATA_CONFIG: config,
      FERMATA_ADMIN_LISTEN: `${given["FERMATA_ADMIN_LISTEN"]}`.replace("$(POD_IP)", "192.0.2.7"),
    };
    expect(await fermata(["check-config"], { env })).toMatchObject({ code: 0, stderr: "" });
    const printed = await fermata(["print-config"], { env });
    expect(printed.stdout).toMatch(/192\.0\.2\.7:50552/);
    expect(printed.stdout).toMatch(/unix:\/run\/fermata\/fermata\.sock/);
  });

  it("is valid for Kubernetes 1.33, field by field", { timeout: 120_000 }, async () => {
    const validate = await pythonTool("kubernetes-validate");
    await runOk(validate, ["--strict", "-k", "1.33", rendered]);
    const slip = join(folder, "slip.yaml");
    writeFileSync(slip, text.replace("restartPolicy: Always", "restartPolice: Always"));
    expect((await run(validate, ["--strict", "-k", "1.33", slip])).code).not.toBe(0);
  });
});

interface Container {
  readonly name: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly resources?: unknown;
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly volumeMounts?: readonly unknown[];
}

interface Pod {
  readonly initContainers: readonly Container[];
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string }[];
  readonly securityContext: unknown;
}

interface Manifest {
  readonly kind: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: { readonly template: { readonly spec: Pod } };
}

function podOf(manifests: readonly Manifest[]): Pod {
  const pod = manifests.find(({ kind }) => kind === "Deployment")?.spec?.template.spec;
  if (pod === undefined) throw new Error("no Deployment was rendered");
  return pod;
}
