import { sha256 } from "../../../src/domain/digest.ts";
import { textFault } from "../../../src/domain/palette/text-rule.ts";
import { createHash } from "node:crypto";
function time(name: string, n: number, f: () => unknown) {
  for (let i = 0; i < n / 4; i++) f();
  const a = process.cpuUsage(); for (let i = 0; i < n; i++) f(); const b = process.cpuUsage(a);
  console.log(name.padEnd(30), ((b.user + b.system) / n).toFixed(2));
}
const dec = new TextDecoder(); const enc = new TextEncoder();
const names = Array.from({ length: 50 }, (_, i) => dec.decode(enc.encode(`tool_number_${i}`)));
time("sha256 50", 40000, () => sha256("fermata.palette.registry/1", ["50", ...names]));
time("textFault 50", 40000, () => { for (const n of names) textFault("", n, 128); });
time("map 50", 40000, () => { const m = new Map(); for (const n of names) m.set(n, { n, p: 1 }); return m; });
time("map+has 50", 40000, () => { const m = new Map(); for (const n of names) { if (m.has(n)) throw 1; m.set(n, { n, p: 1 }); } return m; });
time("byteLength 50", 40000, () => { let s = 0; for (const n of names) s += Buffer.byteLength(n); return s; });
time("wellformed", 40000, () => { let s = 0; for (const n of names) if (n.isWellFormed()) s++; return s; });
const re = /^[ -~]+$/;
time("re", 40000, () => { let s = 0; for (const n of names) if (re.test(n)) s++; return s; });
function ascii(t: string) { for (let i = 0; i < t.length; i++) { const c = t.charCodeAt(i); if (c < 32 || c > 126) return false; } return true; }
time("loop", 40000, () => { let s = 0; for (const n of names) if (ascii(n)) s++; return s; });
const j = names.join("");
time("re joined", 40000, () => re.test(j));
time("hash 900", 40000, () => createHash("sha256").update(j).digest());
time("hash 900 buf", 40000, () => createHash("sha256").update(Buffer.from(j)).digest());
