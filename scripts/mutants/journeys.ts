// Mutants of journeys: when a node starts, what ends with it, and how a failure is handled.
import { mutantsOf, type Mutant } from "./mistake.ts";

const walk = mutantsOf("src/kernel/programs/journey/tokens.ts", [
  {
    from: "if (needs === null) return open > 0 ?",
    to: "if (needs === null) return open > 1 ?",
    why: "a join of all begins with one way still open",
  },
  { from: "return taken + open < needs ?", to: "return taken + open <= needs ?", why: "a join is given up too soon" },
  { from: "if (taken >= needs)", to: "if (taken > needs)", why: "a join of n waits for one more" },
  {
    from: 'if (mark.status !== "pending" && !isUnreached(mark)) return;',
    to: 'if (mark.status !== "pending") return;',
    why: "a skipped join does not know of the ways that died after it",
  },
  {
    from: "const taken = way !== null && edge.ways.includes(way);",
    to: "const taken = way !== null;",
    why: "all ways out of a node are taken",
  },
]);

const outcomes = mutantsOf("src/kernel/programs/journey/run-outcomes.ts", [
  { from: "if (turns) turnToNext(draft, node, planned);", to: "", why: "a failure mended in time takes no way on" },
  {
    from: 'endNode(draft, node, { status: "skipped", way: NEXT, planned, reason: reasonIn(draft) });',
    to: 'endNode(draft, node, { status: "skipped", way: null, planned, reason: reasonIn(draft) });',
    why: "a step that is left out leaves out the rest",
  },
]);

const events = mutantsOf("src/kernel/programs/journey/events.ts", [
  { from: "draft.kept = [...draft.kept, message];", to: "", why: "an event that comes early is lost" },
]);

export const journeyMutants: readonly Mutant[] = [...walk, ...outcomes, ...events];
