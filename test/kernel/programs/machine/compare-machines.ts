// One random machine beside XState's own actor: after every event and every timer the same position, the same variables,
// and the same states left, entered and actions asked for, in the same order.
import { createActor, SimulatedClock, type AnyMachineSnapshot } from "xstate";
import { compile } from "#kernel/programs/compile.ts";
import type { Move, ProgramCommand } from "#kernel/programs/program.ts";
import { openWork } from "#kernel/language/work.ts";
import { verify } from "#kernel/verify/definition.ts";
import type { JsonObject } from "#schema/json.ts";
import type { MachinePosition } from "#schema/engine/state.ts";
import { chanceOf } from "#test/sim/chance.ts";
import { definitionOf, EVENTS, machineOf, planOf, type Dice } from "./random-machines.ts";

const INPUTS = 25;

/** How many inputs were compared: none of a machine that never comes to rest. Throws at the first difference. */
export function compareMachines(seed: number): number {
  const { between } = chanceOf(`machine-${seed}`);
  const dice: Dice = (sides) => between(0, sides - 1);
  const plan = planOf(dice);
  const theirs = begunBesides(plan);
  const ours = begunOurs(plan);
  if (ours === null) return 0;
  let inputs = 0;
  const given: string[] = [];
  for (; inputs < INPUTS && !ours.isOver(); inputs += 1) {
    const due = ours.nextTimer();
    const isTimer = due !== null && dice(3) === 0;
    const type = isTimer ? `timer ${due.timer}` : String(EVENTS[dice(EVENTS.length)]);
    given.push(isTimer ? String(due.at) : type);
    const isAtRest = isTimer ? ours.fire(due) : ours.send(type);
    const log = isTimer ? theirs.passTo(due.at) : theirs.send(type);
    if (!isAtRest) return inputs;
    const [mine, other] = [ours.seen(), theirs.seen(log)].map((seen) => JSON.stringify(seen));
    if (mine !== other) {
      const shown = JSON.stringify(plan);
      throw new Error(`machine ${seed}, after ${given.join(" ")}\nours   ${mine}\ntheirs ${other}\n${shown}`);
    }
  }
  return inputs;
}

type Seen = { readonly value: unknown; readonly variables: unknown; readonly log: readonly string[] };

/** What is over leaves all its states in XState, and stays for its last actions in ours. */
function seen(value: unknown, variables: unknown, log: readonly string[], isOver: boolean): Seen {
  const { x, y } = variables as { x: number; y: number };
  return { value, variables: { x, y }, log: isOver ? log.filter((line) => !line.startsWith("-")) : log };
}

function begunBesides(plan: ReturnType<typeof planOf>) {
  let log: string[] = [];
  const clock = new SimulatedClock();
  const actor = createActor(
    machineOf(plan, (what) => log.push(what)),
    { clock },
  );
  actor.subscribe({ error: () => undefined }); // ours says what went wrong, or the values differ
  actor.start();
  const after = (work: () => void): readonly string[] => {
    log = [];
    // A living actor asks regions in the order in which their states were entered; written down, that order is gone.
    // Both begin each input in the order of the document.
    (actor.getSnapshot() as AnyMachineSnapshot)._nodes.sort((a, b) => a.order - b.order);
    work();
    return log;
  };
  return {
    send: (type: string) => after(() => actor.send({ type })),
    passTo: (at: number) => after(() => clock.set(at)),
    seen: (lines: readonly string[]) => {
      const { value, context, status } = actor.getSnapshot();
      return seen(value, context, lines, status === "done");
    },
  };
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
  const note = (command: ProgramCommand): void => {
    if (command.kind === "enter") log.push(`+${command.state}`);
    else if (command.kind === "leave") log.push(`-${command.state}`);
    else if (command.kind === "act") log.push(command.action);
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
  const standing = (): MachinePosition => position as unknown as MachinePosition; // it has begun
  const take = (type: string): boolean =>
    adopt(program.react(standing(), variables, type, scope(), openWork(), { now: 0, planned: 0 }));
  return {
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
