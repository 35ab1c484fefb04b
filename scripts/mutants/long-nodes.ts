// Mutants of journey nodes with several steps: waits, repetitions, and the order of compensation.
import { mutantsOf, type Mutant } from "./mistake.ts";

const awaited = mutantsOf("src/kernel/programs/journey/await-answer.ts", [
  { from: "is.node.await !== undefined);", to: "false);", why: "a node that asks somebody is done when it has asked" },
  { from: "if (early !== undefined) return;", to: "", why: "whoever has answered already has a time to do it in" },
  {
    from: "state: name, expression, onSkip: timer",
    to: "state: name, expression, onSkip: timer, from: draft.at.planned",
    why: "the time to answer counts from before anybody was asked",
  },
  {
    from: "expression, onSkip: timer",
    to: "expression",
    why: "where the time to answer is over already it is waited for ever",
  },
  { from: "awaits === undefined ||", to: "", why: "an answer counts before it is known whom the node has asked" },
  { from: 'if (typeof ofRun === "string") return ofRun === run;', to: "", why: "an answer to another run is taken" },
  { from: 'typeof ofAction !== "string" || ofAction === name', to: "true", why: "an answer to another node is taken" },
  {
    from: "message.type !== childEvent(CHILD_ENDS[0])",
    to: "false",
    why: "a child that failed counts as one that completed",
  },
  {
    from: "way: isTaken ? FAILED : null, planned, reason: message.type",
    to: "way: FAILED, planned, reason: message.type",
    why: "a child that failed with nothing to follow is not what the journey failed of",
  },
  {
    from: 'isTaken ? (["failed", FAILED] as const) : (["skipped", NEXT] as const)',
    to: '["skipped", NEXT] as const',
    why: "what is not done in time never takes its onFailed",
  },
  {
    from: 'draft.commands.push({ kind: "leave", state: node.name });',
    to: "",
    why: "people are left with a task that nobody waits for",
  },
  {
    from: 'status === "failed" && way === undefined &&',
    to: 'status === "failed" &&',
    why: "a journey fails of a child whose failure was followed",
  },
  { from: '&& reason?.startsWith(childEvent(""))', to: "", why: "a failure that a person let lie fails the journey" },
]);

const repeat = mutantsOf("src/kernel/programs/journey/repeated-node.ts", [
  {
    from: "items.length > EACH_ITEMS_MAX",
    to: "items.length >= EACH_ITEMS_MAX",
    why: "a list of just the greatest length",
  },
  { from: "bytes > EACH_BYTES_MAX", to: "false", why: "a list may have any number of bytes" },
  { from: "- (each.begun - endedItems(each));", to: ";", why: "those that are out take no slots" },
  {
    from: "every === undefined ? (draft.plan",
    to: "true ? (draft.plan",
    why: "a time between them does not part them",
  },
  { from: "Math.min(each.of, each.begun", to: "Math.min(1_000, each.begun", why: "more are done than there are items" },
  { from: "? { index } :", to: "? {} :", why: "what is done so many times does not know which it is" },
  {
    from: 'if (mark.status !== "waiting" && !isOpenFailure(mark)) return false;',
    to: "",
    why: "a call that was out when it ended early counts",
  },
  {
    from: 'if (mark.status === "waiting") return false;\n    endNode',
    to: "endNode",
    why: "letting one lie that was tolerated fails all",
  },
  {
    from: "each.failed.length > tolerate",
    to: "each.failed.length >= tolerate",
    why: "one fewer may fail than is tolerated",
  },
  {
    from: 'if (mark.status === "waiting") failNode(draft, node, planned);',
    to: "failNode(draft, node, planned);",
    why: "a second failure beside an open one fails it again",
  },
  {
    from: 'if (mark.status === "failed") reopenNode(draft, node, markOf(draft, node.name));',
    to: "if (false) reopenNode(draft, node, mark);",
    why: "one that was sent again with success leaves it failed",
  },
  {
    from: "else if (every !== undefined && before.failed.includes(index)) return true;",
    to: "",
    why: "one that is sent again moves when the next is due",
  },
  {
    from: "endedItems(each) === each.of || every === undefined",
    to: "every === undefined",
    why: "after the last it waits the time between two",
  },
  {
    from: "each.failed.filter((known) => known !== index)",
    to: "each.failed",
    why: "one that was sent again with success counts as failed, too",
  },
  { from: "skipped: each.skipped + 1", to: "done: each.done + 1", why: "one that was skipped counts as done" },
  {
    from: "state: name, expression, from, onSkip",
    to: "state: name, expression, onSkip",
    why: "the time between two counts from when the one before got through",
  },
  { from: ", onSkip: passedOverEvent(name)", to: "", why: "it stands still where the next should have been long ago" },
  { from: "until?.event !== message.type", to: "until === undefined", why: "any event that was kept ends it early" },
]);

const undoing = mutantsOf("src/kernel/programs/journey/compensation.ts", [
  { from: "bytes <= COMPENSATION_RESULTS_BYTES_MAX", to: "true", why: "what nodes came to grows without bound" },
  {
    from: "JSON.stringify([...kept, result])",
    to: "JSON.stringify([result])",
    why: "each of many results may be as large as all may be together",
  },
  {
    from: "exit?.compensates === undefined",
    to: "exit === undefined",
    why: "an exit that asks for nothing takes all back",
  },
  {
    from: '?.deadLetter) return { kind: "stuck" };',
    to: '?.deadLetter && false) return { kind: "stuck" };',
    why: "what could not be taken back is passed over in silence",
  },
  {
    from: "markOf(position, next).result ?? newestOf(runs, next)?.result ?? null",
    to: "newestOf(runs, next)?.result ?? null",
    why: "what is taken back late does not know what it came to",
  },
  {
    from: "markOf(position, next).result ?? newestOf(runs, next)?.result ?? null",
    to: "markOf(position, next).result ?? null",
    why: "what came back after the end is taken back without what it came to",
  },
  { from: "exit.undoing === undefined ? [{", to: "true ? [{", why: "the journal begins to take back at every step" },
  {
    from: "!hasActed(mark) && !mayHaveHadEffect(run)",
    to: "!hasActed(mark)",
    why: "a failed action of unknown effect is left as it is",
  },
  { from: "!hasActed(mark) && !mayHaveHadEffect(run)", to: "false", why: "what was never done is taken back" },
  { from: "mark.ended ?? Infinity", to: "mark.ended ?? 0", why: "what was under way to the end is taken back last" },
  { from: "? b.at - a.at :", to: "? a.at - b.at :", why: "of those under way the first to end is taken back first" },
  { from: ": b.ended - a.ended)", to: ": a.ended - b.ended)", why: "the first that was done is taken back first" },
  { from: "awaits !== undefined ||", to: "", why: "whom it has asked is not told that it is over" },
  {
    from: 'each === undefined ? status === "done" : each.done > 0',
    to: 'status === "done"',
    why: "items that were done stay",
  },
  { from: "|| run.attempts.some(isInDoubt)", to: "", why: "a failure in doubt did nothing" },
  { from: 'run.status === "ok" ||', to: "", why: "what came back well after the end stays" },
]);

export const longNodeMutants: readonly Mutant[] = [...awaited, ...repeat, ...undoing];
