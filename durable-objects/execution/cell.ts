// The cell: takes inputs in, steps them in one turn, commits once, then sends. Between load and commit nothing is
// awaited. It knows neither the platform nor what a definition means: ports are one, the kernel is the other.
import type { Command } from "#schema/engine/input.ts";
import type { Result } from "#schema/refusal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { openAlarm, type Alarm } from "./alarm.ts";
import { flightOf, openDrafts, type Draft, type Taken } from "./drafts.ts";
import { openHeads, type Heads } from "./heads/heads.ts";
import { sendOut } from "./outbox.ts";
import type { Ports } from "./ports.ts";
import { auditRows } from "./rows.ts";
import { openProjector } from "./projector.ts";
import { openPendingProjections } from "./pending-projections.ts";

export type Item = {
  readonly execution: string;
  readonly command: Command;
  /** With a start: the definition as stored; null where it is an action alone. */
  readonly definition?: string | null;
  /** False keeps everything this input sets off in the queue lane. */
  readonly direct: boolean;
  /** With a settlement: the next run goes to whoever brings it, instead of into the queue. */
  readonly takesNext?: boolean;
};

type Waiting = {
  readonly item: Item;
  readonly resolve: (answer: Result<Taken>) => void;
  readonly reject: (fault: unknown) => void;
};

/** Inputs that arrive while several executions are under way wait this long for each other: one commit serves all. */
const GROUP_MS = 1;
/** Executions woken in one turn; the rest follow at once, each slice with a commit of its own. */
const SLICE = 100;

export type CellEngine = {
  readonly take: (items: readonly Item[]) => Promise<readonly Result<Taken>[]>;
  readonly read: (execution: string) => ExecutionState | null;
  readonly heads: Heads;
  /** The alarm went off, or somebody poked: due work is done and the alarm armed again. */
  readonly wake: () => Promise<void>;
  readonly alarm: Alarm;
  /** No execution is left, and the catalog knows all of it. */
  readonly isEmpty: () => boolean;
  readonly projectAgain: (executions: readonly string[]) => Promise<void>;
};

export function openCell(ports: Ports): CellEngine {
  const heads = openHeads(ports.storage);
  const pending = openPendingProjections(ports);
  const alarm = openAlarm(ports, heads, pending);
  const flights = new Set<string>();
  const projector = openProjector({ ports, heads, pending, alarm, isFlying: () => flights.size > 0 });
  let intake: Waiting[] = [];
  let grouped = false;

  const turn = (): void => {
    grouped = false;
    const batch = intake;
    intake = [];
    // One instant for the whole turn: what was due by it, and what will be.
    const now = ports.now();
    const drafts = openDrafts(ports, heads, flights, now);
    const answers = batch.map(({ item }) => attempt(() => drafts.take(item)));
    try {
      commit(drafts.all(), now);
    } catch (fault) {
      for (const { reject } of batch) reject(fault);
      return;
    }
    batch.forEach(({ resolve, reject }, index) => {
      const answer = answers[index];
      if (answer && "fault" in answer) reject(answer.fault);
      else if (answer) resolve(answer.value);
    });
  };

  const commit = (drafts: readonly Draft[], now: number): void => {
    if (drafts.length === 0) return;
    const projections = drafts.map(({ state, entries, effects }) => {
      const audit = auditRows(state, entries);
      // What a person did goes into the audit table at once: no later projection would remember it.
      return { audit, isDue: audit.length > 0 || effects.some(({ kind }) => kind === "project") };
    });
    const armedAt = alarm.armedAt();
    try {
      heads.commit(drafts, now, () => alarm.arm(projections.some(({ isDue }) => isDue)));
    } catch (fault) {
      alarm.noteArmed(armedAt);
      throw fault;
    }
    for (const [at, { state, entries }] of drafts.entries()) {
      ports.publish(state.id, entries);
      const { isDue, audit } = projections[at] ?? { isDue: false, audit: [] };
      if (isDue) pending.add(state, audit);
    }
    sendOut(ports, drafts);
    for (const ticket of drafts.flatMap(({ tickets }) => tickets)) fly(ticket);
    if (pending.areLeft()) projector.projectSoon();
  };

  const fly = (ticket: Ticket): void => {
    const { execution, run, attempt: number } = ticket;
    const flight = flightOf(execution, run, number);
    flights.add(flight);
    ports
      .fly(ticket)
      .then(
        (outcome) => {
          flights.delete(flight);
          return take([{ execution, command: { kind: "settle", run, attempt: number, outcome }, direct: true }]);
        },
        () => {
          flights.delete(flight);
          // Any input finds what is in flight and carried by nobody; by now it may be another attempt, or none.
          return take([{ execution, command: { kind: "orphaned", runs: [] }, direct: false }]);
        },
      )
      .catch((fault: unknown) =>
        ports.log({ level: "error", event: "settle_failed", execution, run, message: String(fault) }),
      );
  };

  const enter = (items: readonly Item[]): readonly Promise<Result<Taken>>[] => {
    const answers = items.map(
      (item) => new Promise<Result<Taken>>((resolve, reject) => intake.push({ item, resolve, reject })),
    );
    if (grouped) return answers;
    if (flights.size <= 1) turn();
    else {
      grouped = true;
      ports.later(GROUP_MS, turn);
    }
    return answers;
  };

  const take = (items: readonly Item[]): Promise<readonly Result<Taken>[]> => Promise.all(enter(items));

  const wake = async (): Promise<void> => {
    projector.addUnprojected();
    for (
      let now = ports.now(), due = heads.due(now, SLICE);
      due.length > 0;
      now = ports.now(), due = heads.due(now, SLICE)
    ) {
      const ticks = await Promise.allSettled(
        enter(due.map((execution) => ({ execution, command: { kind: "tick" }, direct: true }))),
      );
      // The clock may have moved since, either way: a wake that lies between is not one that its tick left undone.
      const ticked = Math.min(now, ports.now());
      for (const [at, execution] of due.entries()) {
        const tick = ticks[at];
        if (tick?.status !== "rejected") heads.rewake(execution, ticked);
        else {
          // It is looked at again later; the others of its cell go on.
          heads.postpone(execution, now);
          ports.log({ level: "error", event: "tick_failed", execution, message: String(tick.reason) });
        }
      }
    }
    if (pending.areLeft()) await projector.project();
    alarm.arm(false);
  };

  return {
    take,
    read: (execution) => heads.read(execution)?.state ?? null,
    heads,
    wake,
    alarm,
    isEmpty: () => heads.size() === 0 && !pending.areLeft(),
    projectAgain: projector.projectAgain,
  };
}

type Attempted = { readonly value: Result<Taken> } | { readonly fault: unknown };

/** One input's broken assertion must not take down those that share its turn. */
function attempt(work: () => Result<Taken>): Attempted {
  try {
    return { value: work() };
  } catch (fault) {
    return { fault };
  }
}
