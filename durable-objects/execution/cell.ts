// Cell: applies inputs in turns. A turn steps its inputs, commits all changes together, and then sends the effects.
// Nothing is awaited between the load and the commit. The cell depends neither on the platform nor on the meaning of
// definitions.
import { directCallsMax } from "#policy/gates/direct-call-limit.ts";
import { shouldWaitForGroup } from "#policy/gates/group-commit.ts";
import type { Result } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { openAlarm, type Alarm } from "./alarm.ts";
import { openDrafts } from "./drafts.ts";
import { openDueWork } from "./due-work.ts";
import { openDirectCalls } from "./direct-calls.ts";
import { answersOf } from "./item-answers.ts";
import { openHeads, type Heads } from "./heads/heads.ts";
import type { StoredDrafts } from "./heads/store-one-by-one.ts";
import { openDraftStore, type DraftStore } from "./heads/store-drafts.ts";
import { attemptResult, openIntake, type AttemptResult } from "./intake.ts";
import { openPendingProjections } from "./projections/pending-projections.ts";
import type { Ports } from "./ports.ts";
import { openProjector } from "./projections/projector.ts";
import { openDeferredProjections } from "./projections/deferred-projections.ts";
import { quarantineRow } from "./projections/catalog-rows.ts";
import { applyInput, type InputItem, type AppliedInput, type Turn } from "./apply-input.ts";

export type CellEngine = {
  /** Returns one answer for each item. Never rejects: an unexpected fault becomes the refusal `internal_error`. */
  readonly applyInputs: (items: readonly InputItem[]) => Promise<readonly Result<AppliedInput>[]>;
  /** Returns the state of an execution; null if the cell does not have the execution or cannot read it. */
  readonly read: (execution: string) => ExecutionState | null;
  /** Opens a turn that is never committed, for dry runs and explanations. */
  readonly openTurn: () => Turn;
  readonly heads: Heads;
  /** Called by the alarm and by a poke: runs due work, sends projections, and arms the alarm. */
  readonly wake: () => Promise<void>;
  readonly alarm: Alarm;
  /** True if the cell has no executions and no unsent projections. */
  readonly isEmpty: () => boolean;
  /** Projects executions with all their runs. Returns the executions that could not be projected. */
  readonly projectAgain: (executions: readonly string[]) => Promise<readonly string[]>;
};

export function openCell(ports: Ports): CellEngine {
  let isWaking = false;
  const pending = openPendingProjections(ports);
  const deferred = openDeferredProjections();
  const heads = openHeads(ports, {
    writeWithAlarm: (work) => draftStore.writeWithAlarm(work),
    projectChange: (execution, change) => {
      pending.addQuarantine(quarantineRow(ports.name, heads, execution, change));
      if (isWaking) return;
      // Even a read can find an unreadable head. No commit follows a read, so this alarm and this timer send the
      // projection.
      alarm.arm(true);
      projectSoon();
    },
  });
  const alarm = openAlarm(ports, heads, pending, {
    onTimer: () => void dueWork.runFromTimer(),
    isRunning: () => dueWork.isRunning(),
  });

  const freeSlots = (): number => directCallsMax(ports.name) - directCalls.count();

  /** All inputs of a turn use the same time, so that they agree on what is due. */
  const openTurn = (): Turn => {
    const now = ports.now();
    return { drafts: openDrafts(ports, heads, freeSlots(), now), heads, directCalls, now };
  };

  const { submit } = openIntake({
    runAfter: ports.runAfter,
    now: ports.now,
    turn: (items) => runTurn(openTurn(), items, draftStore),
    executionsOf: countedExecutions,
    waitsForOthers: (recentExecutions) => shouldWaitForGroup({ inFlight: directCalls.count(), recentExecutions }),
  });
  const directCalls = openDirectCalls(ports, (result) => Promise.all(submit([result])));
  const projectSoon = (): void => projector.projectSoon();
  const draftStore = openDraftStore({ ports, heads, alarm, pending, deferred, directCalls, projectSoon });
  const projector = openProjector({ ports, heads, pending, alarm, hasDirectCalls: () => directCalls.count() > 0 });
  const dueWork = openDueWork({ ports, heads, alarm, submit, freeSlots, directCalls, deferred });

  return {
    applyInputs: (items) => answersOf(ports, items.map(executionOf), submit(items)),
    read: (execution) => heads.read(execution)?.state ?? null,
    openTurn,
    heads,
    wake: async () => {
      isWaking = true;
      try {
        projector.addUnprojected();
        await dueWork.run();
        if (pending.hasUnsent()) await projector.project();
        alarm.arm(false);
      } finally {
        isWaking = false;
      }
    },
    alarm,
    isEmpty: () => heads.isEmpty() && !pending.hasUnsent(),
    projectAgain: projector.projectAgain,
  };
}

/** Applies the items, and commits the changes of all items together. Returns the answer or the fault of each item. */
function runTurn(
  turn: Turn,
  items: readonly InputItem[],
  draftStore: DraftStore,
): readonly AttemptResult<Result<AppliedInput>>[] {
  const answers = items.map((item) => attemptResult(() => applyInput(turn, item)));
  const failed = draftStore.store(turn.drafts.all(), turn.now);
  turn.heads.evictAtRest(turn.now);
  return failed.size === 0 ? answers : answers.map((answer) => faultIfUnstored(answer, failed));
}

/**
 * Returns the executions that count as the load of one call. Claims and settlements of a batch arrive in several calls.
 * All their executions count, so that the group commit waits for the other calls of the batch. Any other call counts as
 * one execution.
 */
function countedExecutions(items: readonly InputItem[]): readonly string[] {
  const kind = items[0]?.command.kind;
  const isSubBatch = kind === "claim" || kind === "settle";
  return (isSubBatch ? items : items.slice(0, 1)).map(executionOf);
}

function executionOf({ execution }: InputItem): string {
  return execution;
}

function faultIfUnstored(
  answer: AttemptResult<Result<AppliedInput>>,
  failed: StoredDrafts["failed"],
): AttemptResult<Result<AppliedInput>> {
  if ("fault" in answer || !answer.value.ok) return answer;
  const fault = failed.get(answer.value.value.state.id);
  return fault ? { fault } : answer;
}
