// Runs the checks of CI and prints the duration of each step. `-- changed` runs the steps that a change can affect,
// `-- long` the long half, any other words the steps with one of them in their names.
import { changedFiles, stepsFor } from "./check/changed.ts";
import { runAll } from "./check/run.ts";
import { all, long } from "./check/steps.ts";

const words = process.argv.slice(2);
const begun = performance.now();
const results = await runAll(chosen());

console.log();
for (const { name, ok, seconds } of results) console.log(`${ok ? "ok    " : "FAILED"} ${inSeconds(seconds)}  ${name}`);
console.log(`       ${inSeconds((performance.now() - begun) / 1_000)}  in all`);
const failed = results.filter(({ ok }) => !ok);
for (const { name, end } of failed) console.log(`\n— how ${name} ended\n${end.join("\n")}`);
console.log(`\ncheck: ${results.length - failed.length} passed, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);

function chosen() {
  if (words.length === 0) return all;
  if (words.length === 1 && words[0] === "changed") {
    const files = changedFiles();
    console.log(`changed: ${files.join(", ") || "nothing"}`);
    return stepsFor(files);
  }
  if (words.length === 1 && words[0] === "long") return long;
  return [...all, ...long].filter(({ name }) => words.some((word) => name.includes(word)));
}

function inSeconds(seconds: number): string {
  return `${seconds.toFixed(1).padStart(6)} s`;
}
