// Random machines beside XState's own actor, as many as asked for: `npm run machines -- 100000`, or from one on: `-- 1 95`.
/// <reference types="@cloudflare/workers-types/experimental" />
import { compareMachines } from "#test/kernel/programs/machine/compare-machines.ts";

const EACH = 10_000;
const [count = 1_000, first = 0] = process.argv.slice(2).map(Number);
const begun = performance.now();
let inputs = 0;
for (let seed = first; seed < first + count; seed += 1) {
  inputs += compareMachines(seed);
  if ((seed - first + 1) % EACH === 0) console.log(`${seed - first + 1} machines, ${inputs} inputs`);
}
const seconds = (performance.now() - begun) / 1_000;
console.log(`${count} machines did ${inputs} inputs alike; ${(count / seconds).toFixed(0)} machines per second`);
