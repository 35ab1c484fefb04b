// Mutants of run construction and of possible repeats.
import { mutantsOf, type Mutant } from "./mistake.ts";

export const newRunMutants: readonly Mutant[] = mutantsOf("src/kernel/execution/new-run.ts", [
  { from: "step.runsMade += 1;", to: "", why: "two runs of one step have one id" },
]);
