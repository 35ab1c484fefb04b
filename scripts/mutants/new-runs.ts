// Mutants of run construction.
import { mutantsOf, type Mutant } from "./mistake.ts";

export const newRunMutants: readonly Mutant[] = mutantsOf("src/kernel/execution/new-run.ts", [
  { from: "step.runsMade += 1;", to: "", why: "two runs of one step have one id" },
  {
    from: "possiblyRepeated: earlier !== undefined",
    to: "possiblyRepeated: false",
    why: "an attempt carried out twice does not say so",
  },
  {
    from: "|| mayBeRepeat(run, attempt),",
    to: ",",
    why: "what goes out after a lost answer does not say that it may be a repeat",
  },
  {
    from: "possiblyRepeated: earlier !== undefined",
    to: "possiblyRepeated: run.attempts.length > 0",
    why: "every retry says that it may be a repetition",
  },
]);
