// Compares one random machine with XState's own actor. After every event and timer, the position, the variables and the
// entered and left states with their actions must be equal, in order.
import { createActor, SimulatedClock, type AnyMachineSnapshot } from "xstate";
import { compile } from "#kernel/programs/compile.ts";
import type { Move } from "#kernel/execution/program.ts";
import type { ProgramCommand } from "#kernel/execution/program-commands.ts";
import { openWork } from "#kernel/computing/work.ts";
import { verify } from "#test/kernel/verify/at-once.ts";
import type { JsonObject } from "#schema/json.ts";
import type { MachinePosition } from "#schema/engine/state.ts";
import { chanceOf } from "#test/sim/kit/chance.ts";
import { definitionOf, EVENTS, machineOf, planOf, plansIn, type Dice, type Style } from "./random-machines.ts";

const INPUTS = 25;

/** Returns the number of compared inputs; 0 for a machine that loops at its start. Throws at the first difference. */
export function compareMachines(seed: number, style: Style = "mixed"): number {
  const { between } = chanceOf(`${style === "mixed" ? "machine" : style}-${seed}`);
  const dice: Dice = (sides) => between(0, sides - 1);
  const plan = planOf(dice, style);
  const given: string[] = [];
  const differ = (mine: unknown, other: unknown): never => {
    const lines = [`ours   ${JSON.stringify(mine)}`, `theirs ${JSON.stringify(other)}`, JSON.stringify(plan)];
    throw new Error([`machine ${seed}, after ${given.join(" ")}`, ...lines].join("\n"));
  };
  const theirs = begunBesides(plan);
  const ours = begunOurs(plan);
  if ((ours === null) !== theirs.isBroken() && !theirs.isBeside())
    differ(ours && "at rest", theirs.isBroken() ? "endless" : "at rest");
  if (ours === null) return 0;
  /** False: XState is now in a position that the kernel's machine cannot have. */
  const goesOn = (log: readonly string[]): boolean => {
    const [mine, other] = [ours.seen(), theirs.seen(log)];
    if (!ours.isWhole()) differ(mine, other);
    if (theirs.isBeside()) return false;
    const again = enteredAgain(mine, other);
    if (again === null) return differ(mine, other);
    // Timers that XState does not stop fire beside the new ones.
    return !again.some((state) => timed.has(state));
  };
  const timed = new Set(plansIn(plan).flatMap(({ path, after }) => (after.length > 0 ? [path] : [])));
  let inputs = 0;
  for (let isAlike = goesOn(theirs.begun); isAlike && inputs < INPUTS && !ours.isOver(); inputs += 1) {
    const due = ours.nextTimer();
    const isTimer = due !== null && dice(3) === 0;
    const type = isTimer ? `timer ${due.timer}` : String(EVENTS[dice(EVENTS.length)]);
    given.push(isTimer ? String(due.at) : type);
    const isAtRest = isTimer ? ours.fire(due) : ours.send(type);
    const log = isTimer ? theirs.passTo(due.at) : theirs.send(type);
    if (isAtRest === theirs.isBroken() && !theirs.isBeside()) differ(isAtRest, !theirs.isBroken());
    if (!isAtRest) return inputs;
    isAlike = goesOn(log);
  }
  return inputs;
}

/**
 * The states that XState enters again without leaving them. The kernel's machine leaves them first; null if other
 * things differ.
 */
function enteredAgain(mine: Seen, other: Seen): readonly string[] | null {
  if (JSON.stringify([mine.value, mine.variables]) !== JSON.stringify([other.value, other.variables])) return null;
  const again: string[] = [];
  let next = 0;
  for (const line of mine.log) {
    const state = line.slice(1);
    if (line === other.log[next]) next += 1;
    else if (line.startsWith("-") && isEntered(state, other.log.slice(next))) again.push(state);
    else return null;
  }
  return next === other.log.length ? again : null;
}

/** Whether the state is entered before it is left. */
function isEntered(state: string, log: readonly string[]): boolean {
  return log.find((line) => line === `+${state}` || line === `-${state}`) === `+${state}`;
}

type Seen = { readonly value: unknown; readonly variables: unknown; readonly log: readonly string[] };

/**
 * What both machines are compared by. A finished machine leaves all its states in XState; in the kernel it keeps them
 * for its last actions.
 */
function seen(value: unknown, variables: unknown, log: readonly string[], isOver: boolean): Seen {
  const { x, y } = variables as { x: number; y: number };
  return { value, variables: { x, y }, log: isOver ? [] : log };
}

function begunBesides(plan: ReturnType<typeof planOf>) {
  let log: string[] = [];
  const clock = new SimulatedClock();
  let isBeside = false;
  let since: string[] = [];
  const actor = createActor(
    machineOf(plan, (what) => {
      log.push(what);
      since.push(what);
    }),
    {
      clock,
      inspect: (inspected) => {
        if (inspected.type !== "@xstate.microstep") return;
        const { _nodes: nodes } = inspected.snapshot as AnyMachineSnapshot;
        isBeside ||= isSplit(nodes) || isTorn(since, nodes);
        since = [];
      },
    },
  );
  actor.subscribe({ error: () => undefined }); // the kernel's machine reports the failure, or the values differ
  actor.start();
  const begun = log;
  const after = (work: () => void): readonly string[] => {
    log = [];
    // A live actor checks regions in the order in which their states were entered; a stored position has lost that
    // order. So both begin each input in document order.
    (actor.getSnapshot() as AnyMachineSnapshot)._nodes.sort((a, b) => a.order - b.order);
    work();
    return log;
  };
  return {
    begun,
    send: (type: string) => after(() => actor.send({ type })),
    passTo: (at: number) => after(() => clock.set(at)),
    /** True if the actor was in a position that the kernel's machine cannot have. */
    isBeside: () => isBeside,
    isBroken: () => actor.getSnapshot().status === "error",
    seen: (lines: readonly string[]) => {
      const { value, context, status } = actor.getSnapshot();
      return seen(value, context, lines, status === "done");
    },
  };
}

type Nodes = AnyMachineSnapshot["_nodes"];

/** Two states of one region are active, or one inside a state that is not active. */
function isSplit(nodes: Nodes): boolean {
  return nodes.some((at) => {
    const inside = nodes.filter(({ parent }) => parent === at).length;
    const regions = Object.values(at.states).filter(({ type }) => type !== "history").length;
    const wanted = at.type === "compound" ? 1 : at.type === "parallel" ? regions : 0;
    return inside !== wanted || (at.parent !== undefined && !nodes.includes(at.parent));
  });
}

/** A state was entered again around a state that stayed active. */
function isTorn(log: readonly string[], nodes: Nodes): boolean {
  return log.some((line, n) => {
    const state = line.slice(1);
    const isAgain = line.startsWith("+") && !log.slice(0, n).includes(`-${state}`);
    return (
      isAgain &&
      nodes.some(({ path: [...path] }) => isBelow(path.join("."), state) && !log.includes(`+${path.join(".")}`))
    );
  });
}

function isBelow(path: string, around: string): boolean {
  return path.startsWith(`${around}.`);
}

type Due = { readonly timer: string; readonly at: number };

function begunOurs(plan: ReturnType<typeof planOf>) {
  const definition = definitionOf(plan);
  const isEndless = verify(definition).some(({ code }) => code === "endless_loop");
  if (isEndless) return null;
  const program = compile(definition);
  const timers = new Map<string, number>();
  let now = 0;
  let variables: JsonObject = { x: 0, y: 0 };
  let position: MachinePosition | null = null;
  let log: string[] = [];
  const active = new Set<string>();
  let isBalanced = true;
  const note = (command: ProgramCommand): void => {
    if (command.kind === "enter" || command.kind === "leave") {
      const isEnter = command.kind === "enter";
      log.push(`${isEnter ? "+" : "-"}${command.state}`);
      isBalanced &&= active.has(command.state) !== isEnter;
      if (isEnter) active.add(command.state);
      else active.delete(command.state);
    } else if (command.kind === "act") log.push(command.action);
    else if (command.kind === "disarm") timers.delete(command.timer);
    else if (command.kind === "arm") timers.set(command.timer, now + Number(command.expression));
  };
  const adopt = (move: Move | null): boolean => {
    log = [];
    if (move === null) return true;
    if (!move.ok) return false;
    position = move.position as MachinePosition;
    ({ variables } = move);
    move.commands.forEach(note);
    return true;
  };
  const scope = () => ({ execution: { variables } });
  if (!adopt(program.begin(variables, scope(), openWork(), { now: 0, planned: 0 }))) return null;
  const standing = (): MachinePosition => position as unknown as MachinePosition; // the machine has started
  const take = (type: string): boolean =>
    adopt(program.react(standing(), variables, type, scope(), openWork(), { now: 0, planned: 0 }));
  return {
    /** Each state was left before it was entered again, and the active states are those of the position. */
    isWhole: () => {
      const here = new Set(
        standing().states.flatMap((path) => path.split(".").map((_, n, keys) => keys.slice(0, n + 1).join("."))),
      );
      return isBalanced && here.size === active.size && [...here].every((path) => active.has(path));
    },
    isOver: () => standing().done,
    nextTimer: (): Due | null => {
      const [first] = [...timers].toSorted((a, b) => a[1] - b[1]);
      return first === undefined ? null : { timer: first[0], at: first[1] };
    },
    send: take,
    fire: ({ timer, at }: Due): boolean => {
      now = at;
      timers.delete(timer);
      return take(timer);
    },
    seen: () => seen(standing().value, variables, log, standing().done),
  };
}
