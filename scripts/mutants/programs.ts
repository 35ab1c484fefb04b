// Mutants of programs: machines, the events that they accept, and the program of a standalone action.
import { mutantsOf, type Mutant } from "./mistake.ts";

const machine = mutantsOf("src/kernel/programs/machine/machine.ts", [
  { from: "(done ? [] : states)", to: "states", why: "a machine that is done listens on" },
  { from: "if (at.done) return null", to: "if (false) return null", why: "a machine that is done still moves" },
  {
    from: 'some(({ node }) => node.outcome === "failed")',
    to: "some(() => false)",
    why: "an ending that failed counts as a good one",
  },
  {
    from: "filter((type) => !isReserved(type))",
    to: "filter(() => true)",
    why: "the engine's own events are offered to people",
  },
  {
    from: '!type.startsWith("action.")',
    to: "true",
    why: "a state that nothing can move counts as waiting for a run that is not there",
  },
  {
    from: "return isGuarded ? [...new Set([...types, PATCHED])] : types;",
    to: "return types;",
    why: "a state with a guarded `always` alone is stuck",
  },
  {
    from: "snapshot._nodes.sort((a, b) => a.order - b.order);",
    to: "",
    why: "regions are asked in the order of what came before",
  },
  {
    from: "took.length === 0 && next === snapshot && actions.length === 0",
    to: "took.length === 0 && next === snapshot",
    why: "actions of an `always` that stays where it is are dropped",
  },
  {
    from: "took.length === 0 && next === snapshot && actions.length === 0",
    to: "next === snapshot && actions.length === 0",
    why: "an event that is taken and changes nothing is refused",
  },
  {
    from: "commands: done ? withoutFinalExits(graph, states, commands) : commands",
    to: "commands",
    why: "final states' own actions are canceled as the machine ends",
  },
  {
    from: 'later.kind === "enter" && later.state === command.state',
    to: "false",
    why: "a final state entered anew is not left before",
  },
]);

const compiled = mutantsOf("src/kernel/programs/machine/compile.ts", [
  { from: "!(isWild && isEngineOwn(event.type)) &&", to: "", why: "the wildcard takes timers and patches" },
  {
    from: 'type.startsWith("xstate.") || type === PATCHED',
    to: 'type.startsWith("xstate.")',
    why: "the wildcard takes patches",
  },
  {
    from: '...(transition.assign ? [assignAction(transition.assign, where)] : []),\n      ...(transition.actions ?? []).map((action) => commandAction({ kind: "act", action })),',
    to: '...(transition.actions ?? []).map((action) => commandAction({ kind: "act", action })),\n      ...(transition.assign ? [assignAction(transition.assign, where)] : []),',
    why: "a transition acts before it assigns",
    lives:
      "Asking for a run only notes it; what it says is worked out of the variables after the whole transition. So the order of the two cannot be seen.",
  },
  { from: "reenter = false", to: "reenter = true", why: "a transition to one's own child leaves and enters" },
  { from: "if (isDraft) return variables as Draft;", to: "", why: "each assignment copies all variables" },
  {
    from: '...behaviourActions(node.exit, pointer(statePointer(path), "exit")), ...left]',
    to: '...left, ...behaviourActions(node.exit, pointer(statePointer(path), "exit"))]',
    why: "what a state does on its way out comes after it was left",
  },
  {
    from: '...behaviourActions(node.entry, pointer(statePointer(path), "entry")), ...entered]',
    to: '...entered, ...behaviourActions(node.entry, pointer(statePointer(path), "entry"))]',
    why: "a state's actions begin before what it does on its way in",
  },
  {
    from: "maxIterations: 2 * MICROSTEPS_MAX",
    to: "maxIterations: MICROSTEPS_MAX / 2",
    why: "XState's own count of microsteps comes before ours",
  },
]);

const returning = mutantsOf("src/kernel/programs/machine/history-targets.ts", [
  {
    from: "[...around.map(exitActionsInside), ...transition.actions]",
    to: "transition.actions",
    why: "a history inside its own parent enters what was not left",
  },
  { from: "b.order - a.order", to: "a.order - b.order", why: "a way back leaves states from the outside in" },
  {
    from: "inside.get(node) === activeInside(node)",
    to: "true",
    why: "two states of one region are active after a way back",
  },
  {
    from: "{ parent: { value: parent } }",
    to: "{}",
    why: "two states of one region are active however often a trigger is walked",
  },
]);

const graph = mutantsOf("src/kernel/programs/machine/graph.ts", [
  {
    from: "return graph.has(path) && path !== ROOT ? path : null;",
    to: "return graph.has(path) ? path : null;",
    why: "the whole machine can be a target",
  },
  {
    from: "join((from.parent ?? from).path, target)",
    to: "join(from.path, target)",
    why: "a target's name is looked for among children",
  },
  { from: 'if (listensFor(seen.now, type)) return "now";', to: "", why: "what is listened for now is kept for later" },
  {
    from: 'return listensFor(anywhere, type) ? "late" : "unknown";',
    to: 'return "unknown";',
    why: "an event for a state behind is said to be unknown",
  },
  { from: 'types.has(type) || types.has("*")', to: "types.has(type)", why: "the wildcard listens for nothing" },
  {
    from: 'filter((at) => !above.has(at) && at.node.type === "parallel")',
    to: "filter(() => false)",
    why: "regions beside a target are not ahead",
  },
  {
    from: 'target.node.type === "history" ? lineage(target).slice(1, 2) : []',
    to: "[]",
    why: "what a history leads back to is not ahead",
  },
  {
    from: "if (at.node.target !== undefined) targets.push(at.node.target);",
    to: "",
    why: "what the default of a history leads to is not ahead",
  },
  {
    from: "if (node.onDone !== undefined) out.push",
    to: "if (false) out.push",
    why: "what comes after the end of a nested state is not ahead",
  },
  { from: "entries.length === 0 ? [path] :", to: "", why: "a region without states inside stands nowhere" },
]);

const others = [
  ...mutantsOf("src/kernel/programs/machine/pointers.ts", [
    {
      from: "Array.isArray(list) ? pointer(base, index) : base",
      to: "pointer(base, index)",
      why: "a lone transition is pointed at as one of a list",
    },
  ]),
  ...mutantsOf("src/schema/engine/event.ts", [
    {
      from: 'type.startsWith("action.") || type.startsWith("execution.")',
      to: 'type.startsWith("action.")',
      why: "news of the execution can be forged",
    },
  ]),
  ...mutantsOf("src/kernel/programs/one-action.ts", [
    {
      from: "Math.max(defaults.actionRetentionMs, dedup?.windowMs ?? 0)",
      to: "defaults.actionRetentionMs",
      why: "an action is forgotten within its dedup window",
    },
    {
      from: "now < createdAt + (standalone",
      to: "now <= createdAt + (standalone",
      why: "a dedup window is an instant too long",
    },
    {
      from: "own ?? actions.find",
      to: "actions.find",
      why: "who asks again after the window gets another one's action",
    },
  ]),
];

export const programMutants: readonly Mutant[] = [...machine, ...compiled, ...returning, ...graph, ...others];
