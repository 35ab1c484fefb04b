// What the cells of a pool cost: a turn takes what comes at one instant, an alarm wakes all that are due, and a message tells
// the lists of everybody who had something to tell in a while. Those who live there are played one by one, some of them far
// ahead of others, so that what they did is put in order when all is over.
import { assert } from "#kernel/assert.ts";
import { chanceOf } from "#kernel/execution/chance.ts";
import { nextWake } from "#kernel/execution/clock.ts";
import { openTurns } from "#kernel/virtual/line-up.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import {
  ALARM_HOP_MS_MAX,
  NEAR_ALARM_LATER_MS,
  NEAR_ALARM_LATER_MS_MAX,
  NEAR_MS_MAX,
  PROJECT_AFTER_MS,
  PROJECT_WITHIN_MS,
} from "#schema/limits/objects.ts";
import { perExecution, perTold } from "#schema/limits/platform-costs.ts";
import type { PlatformCounts } from "#schema/virtual/forecast.ts";
import { openTelling, type CatalogMeter, type Told } from "./catalog-meter.ts";
import type { CellOfOne } from "./own-cell.ts";

type Kind = Parameters<CellOfOne["comes"]>[0];
type Happened = {
  readonly at: number;
  readonly kind: Kind;
  readonly of: object;
  /** When it wants to be woken. */
  readonly wake: number | null;
  readonly told: Told | null;
};
export type PoolCells = {
  readonly begin: (execution: string) => CellOfOne;
  /** What is shared, of those cells that are played. */
  readonly counts: () => Pick<PlatformCounts, "objectRows" | "objectRequests" | "queueMessages">;
};
export type PoolTerms = {
  readonly catalog: CatalogMeter;
  /** How many each execution stands for. */
  readonly weight: number;
  /** Each start of a list has a key, and goes where that says; those of one slice that meet in a cell are one call. */
  readonly isList: boolean;
  /** As its tenant's pool is now: it may grow meanwhile. */
  readonly poolSize: number;
};

export function openPoolCells({ catalog, weight, isList, poolSize }: PoolTerms): PoolCells {
  // As many of the cells are played as of those who live there, so that each is as full as it would be.
  const played = Math.max(1, Math.round(poolSize / Math.max(1, weight)));
  // Where there is not even one it is emptier than it would be, by so much: what is waited for is longer by as much.
  const stretch = (weight * played) / poolSize;
  const cells = Array.from({ length: played }, (): Happened[] => []);
  return {
    begin: (execution) => {
      const cell = cells[Math.floor(chanceOf(execution) * played)];
      assert(cell, "a chance is below one");
      return inPool(cell, isList);
    },
    counts: () =>
      cells
        .map((happened) => spentIn(happened, { stretch, isList }, catalog))
        .reduce(
          (sum, { objectRows, objectRequests, queueMessages }) => ({
            objectRows: sum.objectRows + objectRows,
            objectRequests: sum.objectRequests + objectRequests,
            queueMessages: sum.queueMessages + queueMessages,
          }),
          { objectRows: 0, objectRequests: 0, queueMessages: 0 },
        ),
  };
}

function inPool(happened: Happened[], isList: boolean): CellOfOne {
  const of = {};
  const telling = openTelling();
  let requests = 0;
  let kind: Kind = "start";
  return {
    comes: (what) => {
      kind = what;
      if (what === "call" || (what === "start" && !isList)) requests += 1;
    },
    committed: (state, at, isTold) => {
      const told = isTold ? telling(state, at, false) : null;
      happened.push({ at, kind, of, wake: wakeOf(state, at), told });
    },
    counts: () => ({ rows: 0, requests, messages: 0 }),
  };
}

/** Purging is no part of a forecast. */
function wakeOf(state: ExecutionState, at: number): number | null {
  const isOver = isFinalStatus(state.status) && state.runs.every(({ status }) => status !== "running");
  return isOver ? null : nextWake(state, at);
}

type Window = { readonly until: number; readonly told: Told[] };

function spentIn(
  happened: readonly Happened[],
  { stretch, isList }: { stretch: number; isList: boolean },
  catalog: CatalogMeter,
) {
  const counts = { objectRows: happened.length === 0 ? 0 : perExecution.rows, objectRequests: 0, queueMessages: 0 };
  const wakes = openWakes();
  let armedAt: number | null = null;
  let window: Window | null = null;

  const arm = (now: number): void => {
    const wake = Math.min(wakes.earliest() ?? Infinity, now + ALARM_HOP_MS_MAX);
    if (wakes.earliest() === null && window === null) return;
    const isNear = wake > now && wake <= now + NEAR_MS_MAX;
    const told = window === null ? Infinity : now + PROJECT_WITHIN_MS * stretch;
    const latest = Math.min(wake + (isNear ? NEAR_ALARM_LATER_MS_MAX : 0), told);
    if (armedAt !== null && armedAt <= latest) return;
    armedAt = Math.max(Math.min(wake + (isNear ? NEAR_ALARM_LATER_MS : 0), told), now + 1);
    counts.objectRows += 1;
  };
  /** What is near is met from memory, and the alarm stands behind it. */
  const ring = (at: number): void => {
    wakes.pass(at);
    if (armedAt !== null && armedAt > at) return;
    armedAt = null;
    counts.objectRequests += 1;
  };
  const tellBy = (now: number): void => {
    if (window === null || window.until > now) return;
    const rows = window.told.reduce((sum, { runs }) => sum + 1 + runs.length, 0);
    counts.queueMessages += Math.ceil((rows * perTold.rowBytes) / perTold.messageBytes);
    catalog.write({ at: window.until, told: window.told });
    window = null;
  };
  const turn = (at: number, together: readonly Happened[]): void => {
    for (let rung = armedAt; rung !== null && rung < at; rung = armedAt) {
      tellBy(rung);
      ring(rung);
      arm(rung);
    }
    tellBy(at);
    if (together.some(({ kind }) => kind === "tick")) ring(at);
    if (isList && together.some(({ kind }) => kind === "start")) counts.objectRequests += 1;
    for (const { of, wake } of together) wakes.put(of, wake);
    const told = together.flatMap((each) => each.told ?? []);
    if (told.length > 0) {
      window ??= { until: at + PROJECT_AFTER_MS * stretch, told: [] };
      window.told.push(...told);
    }
    arm(at);
  };

  let together: Happened[] = [];
  for (const each of happened.toSorted((a, b) => a.at - b.at)) {
    const [first = each] = together;
    if (first.at !== each.at) {
      turn(first.at, together);
      together = [];
    }
    together.push(each);
  }
  const [last] = together;
  if (last !== undefined) turn(last.at, together);
  tellBy(Infinity);
  return counts;
}

/** Of all who live in a cell, the earliest. */
function openWakes() {
  const line = openTurns<{ readonly of: object; readonly at: number }>();
  const latest = new Map<object, number | null>();
  const earliest = (): number | null => {
    for (let first = line.takeFirst(); first !== null; first = line.takeFirst()) {
      if (latest.get(first.of) !== first.at) continue;
      line.put(first.at, first);
      return first.at;
    }
    return null;
  };
  return {
    earliest,
    put: (of: object, at: number | null): void => {
      latest.set(of, at);
      if (at !== null) line.put(at, { of, at });
    },
    /** Whoever was due by then and had nothing to do. */
    pass: (now: number): void => {
      for (let first = line.takeFirst(); first !== null; first = line.takeFirst()) {
        if (first.at > now) return line.put(first.at, first);
      }
    },
  };
}
