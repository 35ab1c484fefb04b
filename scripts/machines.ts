// Machine comparison: runs random machines of each style in the engine and in XState's own actor, and compares the steps.
// `npm run machines -- 100000` runs that many; `-- 1 95` runs only the machine with the seed 95.
/// <reference types="@cloudflare/workers-types/experimental" />
import { compareMachines } from "#test/kernel/programs/machine/compare-machines.ts";
import { STYLES } from "#test/kernel/programs/machine/random-machines.ts";

const EACH = 10_000;
const [count = 1_000, first = 0] = process.argv.slice(2).map(Number);
const begun = performance.now();
let inputs = 0;
for (let seed = first; seed < first + count; seed += 1) {
  for (const style of STYLES) inputs += compareMachines(seed, style);
  if ((seed - first + 1) % EACH === 0) console.log(`${seed - first + 1} machines of each style, ${inputs} inputs`);
}
const seconds = (performance.now() - begun) / 1_000;
const machines = count * STYLES.length;
console.log(`${machines} machines did ${inputs} inputs alike; ${(machines / seconds).toFixed(0)} machines per second`);
