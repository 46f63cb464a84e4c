/** Answers "cpu" from the parent with this process's CPU time in microseconds: what a bench's ratios are made of. */
export function reportCpu(address: string): void {
  process.on("message", (asked) => {
    if (asked !== "cpu") return;
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu: user + system });
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.({ address });
}
