// The cell: accepts inputs, steps them in one turn, commits once, then sends. Nothing is awaited between load and
// commit. It depends only on ports and the kernel, not on the platform or a definition's meaning.
import { shouldWaitForGroup } from "#policy/gates/group-commit.ts";
import { poolCellOf } from "#policy/pools/layout.ts";
import { DIRECT_IN_FLIGHT_MAX, POOLED_IN_FLIGHT_MAX } from "#schema/limits/direct-calls.ts";
import type { Result } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { openAlarm, type Alarm } from "./alarm.ts";
import { openDrafts } from "./drafts.ts";
import { openDueWork } from "./due-work.ts";
import { openDirectCalls } from "./direct-calls.ts";
import { answersOf } from "./item-answers.ts";
import { openHeads, type Heads } from "./heads/heads.ts";
import type { StoredDrafts } from "./heads/store-one-by-one.ts";
import { openDraftStore } from "./heads/store-drafts.ts";
import { attemptResult, openIntake, type AttemptResult } from "./intake.ts";
import { openPendingProjections } from "./projections/pending-projections.ts";
import type { Ports } from "./ports.ts";
import { openProjector } from "./projections/projector.ts";
import { openDeferredProjections } from "./projections/deferred-projections.ts";
import { quarantineRow } from "./projections/catalog-rows.ts";
import { applyInput, type InputItem, type AppliedInput, type Turn } from "./apply-input.ts";

export type CellEngine = {
  /** Never rejects: an item that failed unexpectedly is refused as `internal_error`. */
  readonly take: (items: readonly InputItem[]) => Promise<readonly Result<AppliedInput>[]>;
  readonly read: (execution: string) => ExecutionState | null;
  /** Nothing of it is stored: for previewing the result of a turn. */
  readonly openTurn: () => Turn;
  readonly heads: Heads;
  /** Handles the alarm or a poke: processes due work and arms the alarm again. */
  readonly wake: () => Promise<void>;
  readonly alarm: Alarm;
  /** No executions are left, and the catalog has all projections. */
  readonly isEmpty: () => boolean;
  readonly projectAgain: (executions: readonly string[]) => Promise<readonly string[]>;
};

export function openCell(ports: Ports): CellEngine {
  let isWaking = false;
  const pending = openPendingProjections(ports);
  const putOff = openDeferredProjections();
  const heads = openHeads(ports, {
    armed: (work) => storing.armed(work),
    tell: (execution, told) => {
      pending.addQuarantine(quarantineRow(ports.name, heads, execution, told));
      if (isWaking) return;
      // Found by a read-only call: without this alarm, no projection would be sent and nothing would retry.
      alarm.arm(true);
      projectSoon();
    },
  });
  const alarm = openAlarm(ports, heads, pending, {
    near: () => void dueWork.workOffNear(),
    isUnderWay: () => dueWork.isUnderWay(),
  });

  const room = roomIn(ports, () => flights.count());

  /** One instant for the whole turn decides what is due. */
  const openTurn = (): Turn => {
    const now = ports.now();
    return { drafts: openDrafts(ports, heads, room(), now), heads, flights, now };
  };

  const turn = (items: readonly InputItem[]): readonly AttemptResult<Result<AppliedInput>>[] => {
    const opened = openTurn();
    const answers = items.map((item) => attemptResult(() => applyInput(opened, item)));
    const failed = storing.store(opened.drafts.all(), opened.now);
    heads.makeRoom(opened.now);
    return failed.size === 0 ? answers : answers.map((answer) => unlessFailed(answer, failed));
  };

  const { enter } = openIntake({
    later: ports.later,
    now: ports.now,
    turn,
    whose,
    waitsForOthers: (recentExecutions) => shouldWaitForGroup({ inFlight: flights.count(), recentExecutions }),
  });
  const flights = openDirectCalls(ports, (landing) => Promise.all(enter([landing])));
  const projectSoon = (): void => projector.projectSoon();
  const storing = openDraftStore({ ports, heads, alarm, pending, putOff, flights, projectSoon });
  const projector = openProjector({ ports, heads, pending, alarm, isFlying: () => flights.count() > 0 });

  const dueWork = openDueWork({ ports, heads, alarm, enter, room, landing: flights.landing, putOff: putOff.all });

  return {
    take: (items) => answersOf(ports, items.map(executionOf), enter(items)),
    read: (execution) => heads.read(execution)?.state ?? null,
    openTurn,
    heads,
    wake: async () => {
      isWaking = true;
      try {
        projector.addUnprojected();
        await dueWork.workOff();
        if (pending.areLeft()) await projector.project();
        alarm.arm(false);
      } finally {
        isWaking = false;
      }
    },
    alarm,
    isEmpty: () => heads.isEmpty() && !pending.areLeft(),
    projectAgain: projector.projectAgain,
  };
}

/**
 * Claims and settlements arrive in sub-batches. Counting executions, not calls, lets the group commit wait for the rest
 * of the batch. Other items of one call need no such wait.
 */
function whose(items: readonly InputItem[]): readonly string[] {
  const kind = items[0]?.command.kind;
  const counted = kind === "claim" || kind === "settle" ? items : items.slice(0, 1);
  return counted.map(executionOf);
}

function executionOf({ execution }: InputItem): string {
  return execution;
}

function unlessFailed(
  answer: AttemptResult<Result<AppliedInput>>,
  failed: StoredDrafts["failed"],
): AttemptResult<Result<AppliedInput>> {
  if ("fault" in answer || !answer.value.ok) return answer;
  const fault = failed.get(answer.value.value.state.id);
  return fault ? { fault } : answer;
}

/** The number of free slots for direct calls. */
function roomIn({ name }: Ports, count: () => number): () => number {
  const most = poolCellOf(name) === null ? DIRECT_IN_FLIGHT_MAX : POOLED_IN_FLIGHT_MAX;
  return () => most - count();
}
