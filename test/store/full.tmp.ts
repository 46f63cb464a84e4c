import { openSqlite } from "/work/main/src/store/sqlite/store.ts";
import { verifyFolder } from "/work/main/src/store/sqlite/verify.ts";
import { issueOn, turn, identity } from "/work/main/test/store/writes.ts";
import { randomBytes } from "node:crypto";
import { writeFileSync, rmSync } from "node:fs";
writeFileSync("/tmp/small/ballast", Buffer.alloc(1_200_000));
const { store, warnings } = await openSqlite({ folder: "/tmp/small/d", separator: ":", diskReserveBytes: 0, allowNetworkFileSystem: false, clock: Date.now });
console.log(warnings);
const acked:string[]=[]; let faults:Record<string,number>={};
const go=async(n:number)=>{ for(let i=0;i<n;i++){ const s="s"+acked.length+"-"+Object.values(faults).reduce((a,b)=>a+b,0); try{ const rs=await Promise.all([0,1,2,3].map(k=>issueOn(store,{session:s+k,format:"opaque/1",content:new Uint8Array(randomBytes(20000))}).then(r=>({s:s+k,r})))); for(const {s,r} of rs) if(r.kind==="ok") acked.push(s);}catch(e:any){ const k=e.fault??e.message; faults[k]=(faults[k]??0)+1; } } };
await go(60); console.log("acked",acked.length,faults);
for (const s of acked) { const f=await store.find({thread:identity("acme",s),checkpointId:undefined,accepted:[]}).catch(e=>e); if(f.kind!=="checkpoint") {console.log("read",f); break;} }
rmSync("/tmp/small/ballast"); const before=acked.length; faults={};
await go(5); console.log("after room acked", acked.length-before, faults);
let miss=0; for (const s of acked) { const f=await store.find({thread:identity("acme",s),checkpointId:undefined,accepted:[]}).catch(e=>e); if(f.kind!=="checkpoint") miss++; } console.log("missing",miss);
await store.close(); const v=verifyFolder("/tmp/small/d"); console.log(v.checkpoints,v.damage.length);
