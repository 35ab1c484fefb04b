// Due work: one tick for each due execution, in slices with one commit each. No slice waits for another's calls, and an
// execution without actions waits for none. An execution without a free slot waits a while for one, then uses the
// queue.
import { paceAfter, sliceSize, type SlicePace } from "#policy/gates/slices.ts";
import { ALARM_EARLY_MS_MAX } from "#schema/limits/alarms.ts";
import {
  DUE_SLICE_CHARS_MAX,
  DUE_SLICE_EXECUTIONS,
  DUE_SLICE_EXECUTIONS_MAX,
  DUE_SLOT_WAIT_MS_MAX,
} from "#schema/limits/due-work.ts";
import { GROUP_COMMIT_MS } from "#schema/limits/group-commit.ts";
import type { Result } from "#schema/refusal.ts";
import type { Alarm } from "./alarm.ts";
import type { Heads } from "./heads/heads.ts";
import { UnstoredDraft } from "./heads/store-one-by-one.ts";
import type { Ports } from "./ports.ts";
import type { InputItem, AppliedInput } from "./apply-input.ts";

type Parts = {
  readonly ports: Pick<Ports, "now" | "log" | "later" | "suspendedAt" | "learnSuspended">;
  readonly heads: Heads;
  readonly alarm: Pick<Alarm, "arm">;
  readonly enter: (items: readonly InputItem[]) => readonly Promise<Result<AppliedInput>>[];
  /** How many more runs the cell may have in flight. */
  readonly room: () => number;
  /** Resolves with true when a direct call completes, with false if none does within that time. */
  readonly landing: (withinMs: number) => Promise<boolean>;
  /** Executions whose projection is deferred to their next wake. */
  readonly putOff: () => readonly string[];
};

/** State shared by the slices of one pass; the slice size also carries over to the next pass. */
type Going = {
  eachMs: SlicePace;
  /** Executions that wait for a slot keep waiting; those that became due since are checked now. */
  stir: () => void;
};

export type DueWork = {
  /** Concurrent callers share one pass. Due work of a suspended tenant stays due. */
  readonly workOff: () => Promise<void>;
  /** Handles near wakes from memory. If it fails, the fallback alarm handles the same work. */
  readonly workOffNear: () => Promise<void>;
  readonly isUnderWay: () => boolean;
};

export function openDueWork(parts: Parts): DueWork {
  const { ports, alarm } = parts;
  let underWay: Promise<void> | null = null;
  const going: Going = { eachMs: null, stir: () => {} };

  const workOff = async (): Promise<void> => {
    // No due execution waits meanwhile.
    if (isEarly(parts)) await untilDue(parts);
    if (ports.suspendedAt() !== null) return tellLists(parts);
    going.stir();
    underWay ??= workOffDue(parts, going).finally(() => {
      underWay = null;
    });
    await underWay;
  };

  return {
    workOff,
    workOffNear: async () => {
      try {
        if (isDueSoon(parts)) {
          await ports.learnSuspended();
          await workOff();
        }
        alarm.arm(false);
      } catch (fault) {
        ports.log({ level: "error", event: "near_wake_failed", message: String(fault) });
      }
    },
    isUnderWay: () => underWay !== null,
  };
}

/** Executions of a suspended tenant never wake, so projections deferred to their next wake are sent now. */
async function tellLists({ ports, heads, enter, putOff }: Parts): Promise<void> {
  let left = putOff();
  while (left.length > 0) {
    const some = lightEnough(heads, left.slice(0, DUE_SLICE_EXECUTIONS));
    left = left.slice(some.length);
    // An execution whose step or commit failed stays deferred, and is retried by the next check.
    await Promise.allSettled(enter(some.map((execution) => ({ execution, command: { kind: "tick" }, direct: false }))));
    if (left.length > 0) await pause(ports, 0);
  }
}

/** The work the timer was set for may be done by now. */
function isDueSoon({ ports, heads }: Parts): boolean {
  return (heads.earliest() ?? Infinity) <= ports.now() + ALARM_EARLY_MS_MAX;
}

/** An alarm fires a little early, to be in time: its wake is not due yet, but is about to be. */
function isEarly(parts: Parts): boolean {
  return isDueSoon(parts) && (parts.heads.earliest() ?? 0) > parts.ports.now();
}

/** Loads the executions that are due first into memory. */
async function untilDue({ ports, heads }: Parts): Promise<void> {
  const earliest = heads.earliest() ?? 0;
  lightEnough(heads, heads.due(earliest, DUE_SLICE_EXECUTIONS_MAX));
  await pause(ports, Math.max(earliest - ports.now(), 0));
}

async function workOffDue(parts: Parts, going: Going): Promise<void> {
  const { ports, heads } = parts;
  await tickDue(parts, going);
  while (heads.takeIn(ports.now())) {
    await tickDue(parts, going);
    await pause(ports, 0);
  }
}

async function tickDue(parts: Parts, going: Going): Promise<void> {
  const { ports, heads, room } = parts;
  /**
   * Executions that found no free slot. Nothing of their step was stored: they are due as before, also after a restart.
   */
  const line = new Set<string>();
  let waits = true;
  /** How long they wait for a slot; null if the wait has not begun. */
  let until: number | null = null;

  const tick = async (executions: readonly string[]): Promise<void> => {
    const began = ports.now();
    for (const execution of executions) line.delete(execution);
    for (const execution of await tickSlice(parts, executions, waits)) {
      line.add(execution);
      heads.setAside(execution, ports.now() + DUE_SLOT_WAIT_MS_MAX);
    }
    if (line.size === 0 && !isDue()) return;
    // Messages of this slice are sent before the next is stepped, and the clock, which is frozen within a turn,
    // advances.
    await pause(ports, 0);
    going.eachMs = paceAfter(going.eachMs, { size: executions.length, tookMs: ports.now() - began });
  };
  const isDue = (): boolean => heads.due(ports.now(), 1).length > 0;

  for (;;) {
    const most = sliceSize(going.eachMs);
    if (isDue()) await tick(lightEnough(heads, heads.due(ports.now(), most)));
    else if (line.size === 0) return;
    else if (!waits || room() > 0) await tick(firstOf(line, waits ? Math.min(room(), most) : most));
    else {
      until ??= ports.now() + DUE_SLOT_WAIT_MS_MAX;
      if (await landed(parts, going, until)) {
        until = null;
        // Completions of direct calls are grouped into one turn.
        await pause(ports, GROUP_COMMIT_MS);
      } else waits = ports.now() < until;
    }
  }
}

/** False: none has completed, and either the wait is over or an execution without actions may be due. */
function landed({ ports, heads, landing }: Parts, going: Going, until: number): Promise<boolean> {
  const now = ports.now();
  const next = heads.earliest() ?? until;
  // If the wait is over and nothing is due, no execution in memory is due.
  const by = next > now ? Math.min(next, until) : until;
  const stirred = new Promise<boolean>((resolve) => {
    going.stir = () => resolve(false);
  });
  return Promise.race([landing(Math.max(by - now, 0)), stirred]);
}

function firstOf(line: ReadonlySet<string>, count: number): readonly string[] {
  return [...line].slice(0, count);
}

/** As many executions as may be in memory together; at least one. */
function lightEnough({ charactersOf }: Heads, executions: readonly string[]): readonly string[] {
  let characters = 0;
  const tooMany = executions.findIndex((execution, at) => {
    characters += charactersOf(execution);
    return at > 0 && characters > DUE_SLICE_CHARS_MAX;
  });
  return tooMany < 0 ? executions : executions.slice(0, tooMany);
}

/** Returns those that wait for a slot. */
async function tickSlice(
  { ports, heads, enter }: Parts,
  due: readonly string[],
  waits: boolean,
): Promise<readonly string[]> {
  const now = ports.now();
  const ticks = await Promise.allSettled(
    enter(due.map((execution) => ({ execution, command: { kind: "tick" }, direct: true, waits }))),
  );
  // The clock may have moved since, either way: a wake in between is not one that the tick missed.
  const ticked = Math.min(now, ports.now());
  const waiting: string[] = [];
  for (const [at, execution] of due.entries()) {
    const tick = ticks[at];
    if (tick?.status === "rejected") {
      // It is rechecked later; the others of its cell continue.
      if (!(tick.reason instanceof UnstoredDraft) && heads.quarantine.put(execution, "broken", tick.reason)) continue;
      // Also if it is quarantined: if the store does not write either, it would be due on every pass.
      heads.postpone(execution, now);
      if (heads.isApart(execution, now)) continue;
      ports.log({ level: "error", event: "tick_failed", execution, message: String(tick.reason) });
    } else if (tick?.value.ok && tick.value.value.waits) waiting.push(execution);
    else heads.rewake(execution, ticked);
  }
  return waiting;
}

function pause({ later }: Parts["ports"], ms: number): Promise<void> {
  return new Promise((resolve) => later(ms, resolve));
}
