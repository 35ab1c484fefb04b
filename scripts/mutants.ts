// Mutation test: applies one mistake after another to a copy of the kernel and checks that a test fails: `npm run
// mutants`. `npm run mutants -- timers` runs the mutants with one of the words in their name. It prints the score and
// the mutants that no test detected.
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { mutants } from "./mutants/all.ts";
import { nameOf, type Mutant } from "./mutants/mistake.ts";
import { copyTree } from "./mutants/tree.ts";
import { stopTrial, tryMutant, tryUnchanged } from "./mutants/trial.ts";

const SCORE_MIN = 95;
const POLITENESS = 10;

setPriority(POLITENESS);
const words = process.argv.slice(2);
const chosen = mutants.filter((each) => words.length === 0 || words.some((word) => nameOf(each).includes(word)));
const tree = copyTree(fileURLToPath(new URL("..", import.meta.url)));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => {
    stopTrial();
    tree.remove();
    process.exit(1);
  });

let isGood = false;
try {
  isGood = await run();
} finally {
  tree.remove();
}
process.exit(isGood ? 0 : 1);

async function run(): Promise<boolean> {
  const { failing, limitMs } = await tryUnchanged(tree.root);
  if (failing !== null) {
    console.log(`a test fails without any mutant: ${failing}`);
    return false;
  }
  const living: Mutant[] = [];
  for (const mutant of chosen) {
    const begun = performance.now();
    const { by } = await tryMutant(tree.root, mutant, limitMs);
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    console.log(`${by === null ? "LIVES" : "dies "} ${seconds} s  ${nameOf(mutant)}${by === null ? "" : `  (${by})`}`);
    if (by === null) living.push(mutant);
  }
  return report(living);
}

function report(living: readonly Mutant[]): boolean {
  const score = (100 * (chosen.length - living.length)) / chosen.length;
  for (const mutant of living) console.log(`\nlives: ${nameOf(mutant)}\n  ${mutant.lives ?? "NOT EXPLAINED"}`);
  const revived = chosen.filter((each) => each.lives !== undefined && !living.includes(each));
  for (const mutant of revived) console.log(`\nlisted as living, but a test detects it: ${nameOf(mutant)}`);
  console.log(`\n${chosen.length - living.length} of ${chosen.length} die: ${score.toFixed(1)} %`);
  const unjudged = living.filter(({ lives }) => lives === undefined);
  return (words.length > 0 || score >= SCORE_MIN) && unjudged.length === 0 && revived.length === 0;
}
