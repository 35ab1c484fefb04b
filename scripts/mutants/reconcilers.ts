// Mutants of reconcilers: when rules are evaluated, which values they read, and who may report observations.
import { mutantsOf, type Mutant } from "./mistake.ts";

const ticks = mutantsOf("src/kernel/execution/reconciling/due-ticks.ts", [
  { from: "if (isStale(reconciling, at)) return;", to: "", why: "rules go by what is too old" },
  {
    from: "if (current) return interruptAction(step, () => ticks.interrupt(position, ...seen));",
    to: "",
    why: "rules are looked at beside an action under way",
  },
  {
    from: "if (!hasChanged(step)) runDueTick(step);",
    to: "runDueTick(step);",
    why: "what has just come is looked at between two instants of the grid",
  },
  { from: "if (current && !ticks.cancelsAction) return;", to: "", why: "a shutdown waits for no action" },
]);

const revisions = mutantsOf("src/kernel/execution/reconciling/revisions.ts", [
  {
    from: "if (observed !== null && at < observed.at) return;",
    to: "",
    why: "an observation that comes late is believed",
  },
  {
    from: "if (isSame && !isTimeWorthStoring(step, reconciling, observed, at)) return;",
    to: "",
    why: "the same observation is written again and again",
  },
  {
    from: "if (wanted === null || wanted === revision) return null;",
    to: "if (wanted !== null) return null;",
    why: "a revision that is gone is taken for the one there is",
  },
]);

const collecting = mutantsOf("src/kernel/execution/reconciling/collect.ts", [
  {
    from: "const isTooEarly = actedAt !== null && began < actedAt;",
    to: "const isTooEarly = false;",
    why: "after an action nobody looks before it is time again",
  },
  {
    from: "baseMs * multiplier ** (failures - 1)",
    to: "baseMs",
    why: "who fails to observe is asked again without end",
  },
]);

export const reconcilerMutants: readonly Mutant[] = [...ticks, ...revisions, ...collecting];
