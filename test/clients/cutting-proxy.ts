import { connect, createServer, type Socket } from "node:net";

/** What it stands before, and when it cuts. */
export interface Cut {
  readonly address: string;
  /** How many bytes each connection brings, in turn; those after them bring all. */
  readonly allowed: readonly number[];
  readonly ends: "end" | "resetAndDestroy";
}

/** Stands between a client and a sidecar, and ends a connection when it has brought its bytes. */
export async function cuttingProxy({ address, allowed, ends }: Cut) {
  const [host, port] = address.split(":");
  const left = [...allowed];
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = connect(Number(port), host);
    sockets.push(near, far);
    for (const socket of [near, far]) socket.on("error", () => undefined);
    let budget = left.shift() ?? Number.POSITIVE_INFINITY;
    near.on("data", (sent) => far.write(sent));
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
    far.on("data", (came) => {
      if (budget < 0) return;
      near.write(came.subarray(0, budget));
      budget -= came.length;
      if (budget < 0) near[ends]();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("it has no port");
  return {
    address: `127.0.0.1:${bound.port}`,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
