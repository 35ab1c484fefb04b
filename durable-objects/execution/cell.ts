// The cell: takes inputs in, steps them in one turn, commits once, then sends. Between load and commit nothing is
// awaited. It knows neither the platform nor what a definition means: ports are one, the kernel is the other.
import { DIRECT_IN_FLIGHT_MAX } from "#schema/limits.ts";
import type { Result } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { openAlarm, type Alarm } from "./alarm.ts";
import { openDrafts, type Draft, purges } from "./drafts.ts";
import { workOffDue } from "./due-work.ts";
import { openFlights } from "./flights.ts";
import { answersOf } from "./item-answers.ts";
import { openHeads, type Heads } from "./heads/heads.ts";
import { attempted, openIntake, type Attempted } from "./intake.ts";
import { sendOut } from "./outbox.ts";
import { openPendingProjections, projectionOf } from "./projections/pending-projections.ts";
import type { Ports } from "./ports.ts";
import { openProjector } from "./projections/projector.ts";
import { take, type Item, type Taken } from "./take.ts";

export type CellEngine = {
  /** Never rejects: an item that broke is refused as `internal_error`. */
  readonly take: (items: readonly Item[]) => Promise<readonly Result<Taken>[]>;
  readonly read: (execution: string) => ExecutionState | null;
  readonly heads: Heads;
  /** The alarm went off, or somebody poked: due work is done and the alarm armed again. */
  readonly wake: () => Promise<void>;
  readonly alarm: Alarm;
  /** No execution is left, and the catalog knows all of it. */
  readonly isEmpty: () => boolean;
  readonly projectAgain: (executions: readonly string[]) => Promise<readonly string[]>;
};

export function openCell(ports: Ports): CellEngine {
  const heads = openHeads(ports.storage);
  const pending = openPendingProjections(ports);
  const alarm = openAlarm(ports, heads, pending);

  const turn = (items: readonly Item[]): readonly Attempted<Result<Taken>>[] => {
    // One instant for the whole turn: what was due by it, and what will be.
    const now = ports.now();
    const drafts = openDrafts(ports, heads, DIRECT_IN_FLIGHT_MAX - flights.count(), now);
    const answers = items.map((item) => attempted(() => take({ drafts, heads, flights, now }, item)));
    if (drafts.all().length > 0) commit(drafts.all(), now);
    return answers;
  };

  /** What is committed is sent, whatever its listeners come to. */
  const publish: Ports["publish"] = (execution, entries, isGone) => {
    try {
      ports.publish(execution, entries, isGone);
    } catch (fault) {
      ports.log({ level: "error", event: "entries_not_published", execution, message: String(fault) });
    }
  };

  const commit = (drafts: readonly Draft[], now: number): void => {
    const projections = drafts.map(projectionOf);
    const armedAt = alarm.armedAt();
    try {
      heads.commit(drafts, now, () => alarm.arm(projections.some(({ isDue }) => isDue)));
    } catch (fault) {
      alarm.noteArmed(armedAt);
      throw fault;
    }
    for (const { isDue, state, audit } of projections) if (isDue) pending.add(state, audit);
    for (const { state, entries, effects } of drafts) publish(state.id, entries, purges(effects));
    sendOut(ports, drafts);
    for (const ticket of drafts.flatMap(({ tickets }) => tickets)) flights.fly(ticket);
    if (pending.areLeft()) projector.projectSoon();
  };

  const { enter } = openIntake({ later: ports.later, isBusy: () => flights.count() > 1, turn });
  const flights = openFlights(ports, (landing) => Promise.all(enter([landing])));
  const projector = openProjector({ ports, heads, pending, alarm, isFlying: () => flights.count() > 0 });

  return {
    take: (items) =>
      answersOf(
        ports,
        items.map(({ execution }) => execution),
        enter(items),
      ),
    read: (execution) => heads.read(execution)?.state ?? null,
    heads,
    wake: async () => {
      projector.addUnprojected();
      if (ports.suspendedAt() === null) await workOffDue({ ports, heads, enter });
      if (pending.areLeft()) await projector.project();
      alarm.arm(false);
    },
    alarm,
    isEmpty: () => heads.size() === 0 && !pending.areLeft(),
    projectAgain: projector.projectAgain,
  };
}
