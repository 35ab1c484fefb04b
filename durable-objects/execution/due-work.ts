// What is due: a tick for each execution whose time has come, slice by slice, each with a commit of its own. No slice waits
// for another's calls, and what has nothing to call for none; what would find no place for its own calls stands in line a
// while for what lands, and then goes by queue.
import { paceAfter, sliceAt, type Pace } from "#policy/gates/slices.ts";
import {
  DUE_EARLY_MS_MAX,
  DUE_LINE_MS_MAX,
  DUE_SLICE_CHARACTERS_MAX,
  DUE_SLICE_EXECUTIONS,
  DUE_SLICE_EXECUTIONS_MAX,
  GROUP_MS,
} from "#schema/limits/objects.ts";
import type { Result } from "#schema/refusal.ts";
import type { Alarm } from "./alarm.ts";
import type { Heads } from "./heads/heads.ts";
import { Unstored } from "./heads/one-by-one.ts";
import type { Ports } from "./ports.ts";
import type { Item, Taken } from "./take.ts";

type Parts = {
  readonly ports: Pick<Ports, "now" | "log" | "later" | "suspendedAt" | "learnSuspended">;
  readonly heads: Heads;
  readonly alarm: Pick<Alarm, "arm">;
  readonly enter: (items: readonly Item[]) => readonly Promise<Result<Taken>>[];
  /** How many more runs the cell may have in flight. */
  readonly room: () => number;
  /** Resolves with true when a flight lands, with false if none does within that time. */
  readonly landing: (withinMs: number) => Promise<boolean>;
  /** Whom lists are told of only when they wake next. */
  readonly putOff: () => readonly string[];
};

/** What goes on from one slice to the next, and, of the pace, from one time to the next. */
type Going = {
  eachMs: Pace;
  /** Those in line may wait on; whoever has come due since is looked at now. */
  stir: () => void;
};

export type DueWork = {
  /** Whoever comes while it is under way waits for the same. What is due of a suspended tenant stays due. */
  readonly workOff: () => Promise<void>;
  /** What is met from memory. What goes wrong there the alarm finds, which stands behind it. */
  readonly workOffNear: () => Promise<void>;
  readonly isUnderWay: () => boolean;
};

export function openDueWork(parts: Parts): DueWork {
  const { ports, alarm } = parts;
  let underWay: Promise<void> | null = null;
  const going: Going = { eachMs: null, stir: () => {} };

  const workOff = async (): Promise<void> => {
    // Nobody who is due meanwhile waits for that.
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

/** Of a suspended tenant nothing wakes: lists are told at once of whom they would have been told then. */
async function tellLists({ ports, heads, enter, putOff }: Parts): Promise<void> {
  let left = putOff();
  while (left.length > 0) {
    const some = lightEnough(heads, left.slice(0, DUE_SLICE_EXECUTIONS));
    left = left.slice(some.length);
    // Where one breaks or cannot be stored it is still put off, and comes up again with the next look.
    await Promise.allSettled(enter(some.map((execution) => ({ execution, command: { kind: "tick" }, direct: false }))));
    if (left.length > 0) await pause(ports, 0);
  }
}

/** What the timer was set for may have been done since. */
function isDueSoon({ ports, heads }: Parts): boolean {
  return (heads.earliest() ?? Infinity) <= ports.now() + DUE_EARLY_MS_MAX;
}

/** An alarm goes off a little early, to be in time: what it is for has not come, and is about to. */
function isEarly(parts: Parts): boolean {
  return isDueSoon(parts) && (parts.heads.earliest() ?? 0) > parts.ports.now();
}

/** Those that are due first are in memory then. */
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
  /** Those whose calls found no place. Nothing of them was kept: they are due as before, and found as such after a restart. */
  const line = new Set<string>();
  let waits = true;
  /** By then one has landed, or those in line wait no longer; null: they have not begun to. */
  let until: number | null = null;

  const tick = async (executions: readonly string[]): Promise<void> => {
    const began = ports.now();
    for (const execution of executions) line.delete(execution);
    for (const execution of await tickSlice(parts, executions, waits)) {
      line.add(execution);
      heads.setAside(execution, ports.now() + DUE_LINE_MS_MAX);
    }
    if (line.size === 0 && !isDue()) return;
    // What has been sent off is on its way before the next are stepped; and the clock, which stands still in a turn, has moved.
    await pause(ports, 0);
    going.eachMs = paceAfter(going.eachMs, { size: executions.length, tookMs: ports.now() - began });
  };
  const isDue = (): boolean => heads.due(ports.now(), 1).length > 0;

  for (;;) {
    const most = sliceAt(going.eachMs);
    if (isDue()) await tick(lightEnough(heads, heads.due(ports.now(), most)));
    else if (line.size === 0) return;
    else if (!waits || room() > 0) await tick(firstOf(line, waits ? Math.min(room(), most) : most));
    else {
      until ??= ports.now() + DUE_LINE_MS_MAX;
      if (await landed(parts, going, until)) {
        until = null;
        // Landings come together, and share a turn.
        await pause(ports, GROUP_MS);
      } else waits = ports.now() < until;
    }
  }
}

/** False: none has, and it is time, or somebody is due who may have nothing to call. */
function landed({ ports, heads, landing }: Parts, going: Going, until: number): Promise<boolean> {
  const now = ports.now();
  const next = heads.earliest() ?? until;
  // Where that is over and nobody is due, it is no time for any of those in memory.
  const by = next > now ? Math.min(next, until) : until;
  const stirred = new Promise<boolean>((resolve) => {
    going.stir = () => resolve(false);
  });
  return Promise.race([landing(Math.max(by - now, 0)), stirred]);
}

function firstOf(line: ReadonlySet<string>, count: number): readonly string[] {
  return [...line].slice(0, count);
}

/** As many of them as may be in memory together; one at least. */
function lightEnough({ charactersOf }: Heads, executions: readonly string[]): readonly string[] {
  let characters = 0;
  const tooMany = executions.findIndex((execution, at) => {
    characters += charactersOf(execution);
    return at > 0 && characters > DUE_SLICE_CHARACTERS_MAX;
  });
  return tooMany < 0 ? executions : executions.slice(0, tooMany);
}

/** Says which of them wait for a place in flight. */
async function tickSlice(
  { ports, heads, enter }: Parts,
  due: readonly string[],
  waits: boolean,
): Promise<readonly string[]> {
  const now = ports.now();
  const ticks = await Promise.allSettled(
    enter(due.map((execution) => ({ execution, command: { kind: "tick" }, direct: true, waits }))),
  );
  // The clock may have moved since, either way: a wake that lies between is not one that its tick left undone.
  const ticked = Math.min(now, ports.now());
  const waiting: string[] = [];
  for (const [at, execution] of due.entries()) {
    const tick = ticks[at];
    if (tick?.status === "rejected") {
      // It is looked at again later; the others of its cell go on.
      if (!(tick.reason instanceof Unstored) && heads.quarantine.put(execution, "broken", tick.reason)) continue;
      // Also where it stands apart: should the store not write either, it would be due for ever.
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
