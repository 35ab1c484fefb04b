// Due work: ticks each due execution, in slices with one commit each. No slice waits for the direct calls of another
// slice. An execution that needs a direct slot waits a while for a free slot, and then uses the queue. An execution
// that needs no slot does not wait.
import { paceAfter, sliceSize, type SlicePace } from "#policy/gates/slices.ts";
import { ALARM_EARLY_MS_MAX } from "#schema/limits/alarms.ts";
import {
  DUE_SLOT_WAIT_MS_MAX,
  DUE_SLICE_CHARS_MAX,
  DUE_SLICE_EXECUTIONS,
  DUE_SLICE_EXECUTIONS_MAX,
} from "#schema/limits/due-work.ts";
import { GROUP_COMMIT_MS } from "#schema/limits/executions.ts";
import type { Result } from "#schema/refusal.ts";
import type { Alarm } from "./alarm.ts";
import type { DirectCalls } from "./direct-calls.ts";
import type { Heads } from "./heads/heads.ts";
import { UnstoredDraft } from "./heads/store-one-by-one.ts";
import type { Ports } from "./ports.ts";
import type { DeferredProjections } from "./projections/deferred-projections.ts";
import type { InputItem, AppliedInput } from "./apply-input.ts";

type Parts = {
  readonly ports: Pick<Ports, "now" | "log" | "runAfter" | "suspendedAt" | "refreshSuspension">;
  readonly heads: Heads;
  readonly alarm: Pick<Alarm, "arm">;
  /** Submits inputs for the next turn. */
  readonly submit: (items: readonly InputItem[]) => readonly Promise<Result<AppliedInput>>[];
  /** Returns how many direct calls the cell may start now. */
  readonly freeSlots: () => number;
  readonly directCalls: Pick<DirectCalls, "nextCompletion">;
  readonly deferred: Pick<DeferredProjections, "all">;
};

/** State that the slices of one run share. */
type RunState = {
  /**
   * The time per execution in the last slice, in ms; null before the first slice. The next run starts with this value.
   */
  pace: SlicePace;
  /** Ends the current wait for a free slot, so that the loop checks what else is due. */
  recheck: () => void;
};

export type DueWork = {
  /** Runs all due work. Concurrent callers share one run. The due work of a suspended tenant stays due. */
  readonly run: () => Promise<void>;
  /** Called by the in-memory timer. Never rejects: after a fault, the fallback alarm runs the same work. */
  readonly runFromTimer: () => Promise<void>;
  readonly isRunning: () => boolean;
};

export function openDueWork(parts: Parts): DueWork {
  const { ports, alarm } = parts;
  let currentRun: Promise<void> | null = null;
  const state: RunState = { pace: null, recheck: () => {} };

  const run = async (): Promise<void> => {
    if (isAlarmEarly(parts)) await untilDue(parts);
    if (ports.suspendedAt() !== null) return sendDeferredProjections(parts);
    state.recheck();
    currentRun ??= runAllDue(parts, state).finally(() => {
      currentRun = null;
    });
    await currentRun;
  };

  return {
    run,
    runFromTimer: async () => {
      try {
        // If another run has already done the timer's work, nothing is due now.
        if (isDueSoon(parts)) {
          await ports.refreshSuspension();
          await run();
        }
        alarm.arm(false);
      } catch (fault) {
        ports.log({ level: "error", event: "near_wake_failed", message: String(fault) });
      }
    },
    isRunning: () => currentRun !== null,
  };
}

/**
 * The executions of a suspended tenant do not wake, so projections that are deferred to their next wake are sent now.
 */
async function sendDeferredProjections({ ports, heads, submit, deferred }: Parts): Promise<void> {
  let left = deferred.all();
  while (left.length > 0) {
    const slice = fittingInMemory(heads, left.slice(0, DUE_SLICE_EXECUTIONS));
    left = left.slice(slice.length);
    // An execution whose step or commit fails stays deferred. The next check of the suspension tries it again.
    await Promise.allSettled(
      submit(slice.map((execution) => ({ execution, command: { kind: "tick" }, direct: false }))),
    );
    if (left.length > 0) await pause(ports, 0);
  }
}

function isDueSoon({ ports, heads }: Parts): boolean {
  return (heads.earliest() ?? Infinity) <= ports.now() + ALARM_EARLY_MS_MAX;
}

/** The alarm is set a little before the wake, so nothing may be due yet when it fires. */
function isAlarmEarly(parts: Parts): boolean {
  return isDueSoon(parts) && (parts.heads.earliest() ?? 0) > parts.ports.now();
}

/** Uses the time until the wake to load the executions that are due first. */
async function untilDue({ ports, heads }: Parts): Promise<void> {
  const earliest = heads.earliest() ?? 0;
  fittingInMemory(heads, heads.due(earliest, DUE_SLICE_EXECUTIONS_MAX));
  await pause(ports, Math.max(earliest - ports.now(), 0));
}

async function runAllDue(parts: Parts, state: RunState): Promise<void> {
  const { ports, heads } = parts;
  await runDueInMemory(parts, state);
  while (heads.loadDue(ports.now())) {
    await runDueInMemory(parts, state);
    await pause(ports, 0);
  }
}

async function runDueInMemory(parts: Parts, state: RunState): Promise<void> {
  const { ports, heads, freeSlots } = parts;
  /** Executions that wait for a free slot. Their steps are not stored, so after a restart they are due again. */
  const waiting = new Set<string>();
  let mayWait = true;
  /** When the current wait for a slot ends, epoch ms; null before it begins. */
  let waitEndsAt: number | null = null;

  const tick = async (executions: readonly string[]): Promise<void> => {
    const beganAt = ports.now();
    for (const execution of executions) waiting.delete(execution);
    for (const execution of await tickSlice(parts, executions, mayWait)) {
      waiting.add(execution);
      heads.deferWake(execution, ports.now() + DUE_SLOT_WAIT_MS_MAX);
    }
    if (waiting.size === 0 && !isAnyDue()) return;
    // During the pause, the messages of this slice are sent. The platform's clock also advances only during a pause.
    await pause(ports, 0);
    state.pace = paceAfter(state.pace, { size: executions.length, tookMs: ports.now() - beganAt });
  };
  const isAnyDue = (): boolean => heads.due(ports.now(), 1).length > 0;

  for (;;) {
    const sizeMax = sliceSize(state.pace);
    if (isAnyDue()) await tick(fittingInMemory(heads, heads.due(ports.now(), sizeMax)));
    else if (waiting.size === 0) return;
    else if (!mayWait) await tick([...waiting].slice(0, sizeMax));
    else if (freeSlots() > 0) await tick([...waiting].slice(0, Math.min(freeSlots(), sizeMax)));
    else {
      waitEndsAt ??= ports.now() + DUE_SLOT_WAIT_MS_MAX;
      if (await slotIsFreed(parts, state, waitEndsAt)) {
        waitEndsAt = null;
        // During this pause more direct calls may complete. One turn then applies all their outcomes.
        await pause(ports, GROUP_COMMIT_MS);
      } else mayWait = ports.now() < waitEndsAt;
    }
  }
}

/**
 * Resolves with true when a direct call completes. Resolves with false if the wait is over or other executions may be
 * due.
 */
function slotIsFreed({ ports, heads, directCalls }: Parts, state: RunState, waitEndsAt: number): Promise<boolean> {
  const now = ports.now();
  const nextWake = heads.earliest() ?? waitEndsAt;
  // A wake in the past belongs to an execution that itself waits for a slot, so it does not shorten the wait.
  const until = nextWake > now ? Math.min(nextWake, waitEndsAt) : waitEndsAt;
  const rechecked = new Promise<boolean>((resolve) => {
    state.recheck = () => resolve(false);
  });
  return Promise.race([directCalls.nextCompletion(Math.max(until - now, 0)), rechecked]);
}

/**
 * Loads heads of these executions until the memory limit for a slice is reached. Returns the loaded executions, at
 * least one.
 */
function fittingInMemory({ charactersOf }: Heads, executions: readonly string[]): readonly string[] {
  let characters = 0;
  const firstBeyond = executions.findIndex((execution, index) => {
    characters += charactersOf(execution);
    return index > 0 && characters > DUE_SLICE_CHARS_MAX;
  });
  return firstBeyond < 0 ? executions : executions.slice(0, firstBeyond);
}

/** Ticks the executions in one turn. Returns the executions that wait for a free slot. */
async function tickSlice(
  { ports, heads, submit }: Parts,
  due: readonly string[],
  mayWait: boolean,
): Promise<readonly string[]> {
  const now = ports.now();
  const ticks = await Promise.allSettled(
    submit(due.map((execution) => ({ execution, command: { kind: "tick" }, direct: true, waitsForSlot: mayWait }))),
  );
  // The clock may have been set back during the tick, so the earlier of both times counts. A wake after it was not
  // handled by this tick.
  const tickedAt = Math.min(now, ports.now());
  const waiting: string[] = [];
  for (const [index, execution] of due.entries()) {
    const tick = ticks[index];
    if (tick?.status === "rejected") {
      // A quarantined execution is checked again later. The other executions of the cell continue.
      if (!(tick.reason instanceof UnstoredDraft) && heads.quarantine.put(execution, "broken", tick.reason)) continue;
      // Without a delay, an execution that the store refuses to quarantine would be due in every pass of the loop.
      heads.delayTick(execution, now);
      if (heads.isInQuarantineGap(execution, now)) continue;
      ports.log({ level: "error", event: "tick_failed", execution, message: String(tick.reason) });
    } else if (tick?.value.ok && tick.value.value.waitsForSlot) waiting.push(execution);
    else heads.updateWake(execution, tickedAt);
  }
  return waiting;
}

function pause({ runAfter }: Parts["ports"], ms: number): Promise<void> {
  return new Promise((resolve) => runAfter(ms, resolve));
}
