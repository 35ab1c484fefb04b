// Mutants of parents and children, and of executions that continue another one.
import { mutantsOf, type Mutant } from "./mistake.ts";

const parting = mutantsOf("src/kernel/execution/children/children-on-end.ts", [
  {
    from: "if (ending !== undefined) return awaitedChildren(state).length > 0;",
    to: "if (ending !== undefined) return false;",
    why: "an execution that is ending waits for no child",
  },
  {
    from: "if (awaited.length === 0) return false;",
    to: "if (awaited.length >= 0) return false;",
    why: "nobody waits for children before it ends",
  },
]);

const requests = mutantsOf("src/kernel/execution/children/children-on-end.ts", [
  {
    from: "at <= child.startBy + CHILD_START_GRACE_MS",
    to: "at <= 0",
    why: "a child that is not there yet is taken for one that never comes",
  },
  {
    from: "if (!isWanted || isStarting(state, child)) return [];",
    to: "if (!isWanted) return [];",
    why: "a child is looked for while its run may still start it",
  },
]);

const nesting = mutantsOf("src/kernel/execution/children/children.ts", [
  { from: "depth > CHILD_DEPTH_MAX", to: "depth > CHILD_DEPTH_MAX + 1", why: "children go one deeper than the limit" },
  { from: "now > notAfter", to: "false", why: "a child begins after whoever starts it has given up" },
]);

const restart = mutantsOf("src/kernel/execution/restart/effects-made.ts", [
  { from: 'if (isBefore) return "before";', to: "", why: "what was done on an earlier round is passed over" },
  { from: 'if (!isKnown) return "not_known";', to: "", why: "what nobody knows of is passed over" },
]);

export const familyMutants: readonly Mutant[] = [...parting, ...requests, ...nesting, ...restart];
