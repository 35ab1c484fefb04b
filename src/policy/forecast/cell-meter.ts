// What an execution costs the platform, read off the steps that it makes: rows and requests of its own object, messages of
// the queues, rows of the catalog. The object's habits (durable-objects/execution/) are followed here: a commit is a row, and
// so is an alarm that is set; an alarm is moved earlier and not later, but of who is alone in its cell and has told the
// lists; lists are told in one message. test/cost/forecast.alone.workers.test.ts holds it against what is metered.
import { nextWake } from "#kernel/execution/clock.ts";
import type { Stepped } from "#kernel/execution/step.ts";
import type { Watch } from "#kernel/virtual/play.ts";
import type { Effect } from "#schema/engine/effect.ts";
import type { Command } from "#schema/engine/input.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { limits } from "#schema/limits.ts";
import { ALARM_HOP_MS_MAX, PROJECT_WITHIN_MS } from "#schema/limits/objects.ts";
import type { PlatformCounts } from "#schema/virtual/forecast.ts";
import { openCatalogMeter } from "./catalog-meter.ts";
import { perExecution, perSubject } from "./costs.ts";

/** What one commit takes in: an input, and the claims that the object makes along with it. */
type Turn = { readonly at: number; state: ExecutionState; entries: number; isTold: boolean };

export type CellMeter = {
  readonly watch: Watch;
  /** Once it is over. */
  readonly counts: () => PlatformCounts & { readonly endedAt: readonly number[] };
};

export function openCellMeter(): CellMeter {
  const catalog = openCatalogMeter();
  const alarm = openAlarmMeter();
  let [rows, requests, messages] = [0, 0, 0];
  let turn: Turn | null = null;
  let before: ExecutionState | null = null;
  let tail = 0;
  /** The run that a settlement brings along needs no message and no call of its own. */
  let carried: string | null = null;

  const commit = (): void => {
    if (turn === null) return;
    const { at, state, entries, isTold } = turn;
    turn = null;
    if (entries > 0 || isTold) rows += 1;
    tail += entries;
    if (tail > limits.journalPageEntriesMax) {
      rows += 1;
      tail = 0;
    }
    alarm.arm(state, at, isTold);
    if (!isTold) return;
    messages += 1;
    catalog.told(state, at);
    if (!state.runs.some(isFlying)) alarm.armExactly(state, at);
  };

  const begin = (command: Command, { state, entries, effects }: Stepped, at: number): void => {
    commit();
    if (before !== null) alarm.ringUntil(before, at);
    if (command.kind === "tick") alarm.ring();
    else if (command.kind === "start") {
      rows += perExecution.rows + (state.subject ? perSubject.rows : 0);
      requests += perExecution.requests + (state.subject ? perSubject.requests : 0);
    } else if (command.kind !== "settle" || laneOf(before, command.run) === "queue") requests += 1;
    turn = { at, state, entries: entries.length, isTold: effects.some(isTelling) };
  };

  const send = (effect: Effect, isSettled: boolean): void => {
    switch (effect.kind) {
      case "dispatch": {
        if (effect.lane === "direct") return;
        if (isSettled && carried === null && effect.timeoutMs === undefined) carried = effect.run;
        else messages += 1;
        return;
      }
      case "signal":
      case "errands":
      case "enlist":
        messages += 1;
        return;
      case "subject":
        messages += 1;
        requests += perSubject.endRequests;
        rows += perSubject.endRows;
        return;
      case "project":
      case "purge":
        return;
    }
  };

  return {
    watch: (command, stepped, at) => {
      const { state, effects, entries } = stepped;
      const isAlong = command.kind === "claim" && (command.lane === "direct" || carried === command.run);
      if (isAlong && turn !== null) {
        const isTold = turn.isTold || effects.some(isTelling);
        turn = { ...turn, state, entries: turn.entries + entries.length, isTold };
      } else begin(command, stepped, at);
      const isSettled = command.kind === "settle" && laneOf(before, command.run) === "queue";
      carried = null;
      for (const effect of effects) send(effect, isSettled);
      before = state;
    },
    counts: () => {
      commit();
      const { rows: catalogRows, endedAt } = catalog.counts();
      return {
        objectRows: rows + alarm.rows(),
        objectRequests: requests + alarm.rings(),
        queueMessages: messages,
        catalogRows,
        endedAt,
      };
    },
  };
}

/** As the object's alarm goes (durable-objects/execution/alarm.ts): setting it is a row, and its going off a request. */
function openAlarmMeter() {
  let [rows, rings] = [0, 0];
  let armedAt: number | null = null;
  const set = (at: number): void => {
    armedAt = at;
    rows += 1;
  };
  const wakeOf = (state: ExecutionState, now: number): number | null => {
    const wake = nextWake(state, now);
    return wake === null ? null : Math.min(wake, now + ALARM_HOP_MS_MAX);
  };
  const arm = (state: ExecutionState, now: number, isTold: boolean): void => {
    const [wake, tellBy] = [wakeOf(state, now), isTold ? now + PROJECT_WITHIN_MS : null];
    const at = Math.min(wake ?? Infinity, tellBy ?? Infinity);
    if (at !== Infinity && (armedAt === null || armedAt > at)) set(Math.max(at, now + 1));
  };
  return {
    arm,
    armExactly: (state: ExecutionState, now: number): void => {
      const at = wakeOf(state, now);
      if (at === null || armedAt === null || armedAt >= at) return;
      if (armedAt < now + ALARM_HOP_MS_MAX / 2) set(at);
    },
    ring: (): void => {
      rings += 1;
      armedAt = null;
    },
    /** One that was left where it was goes off in vain, and is set anew. */
    ringUntil: (state: ExecutionState, at: number): void => {
      while (armedAt !== null && armedAt < at) {
        const rung: number = armedAt;
        rings += 1;
        armedAt = null;
        arm(state, rung, false);
      }
    },
    rows: () => rows,
    rings: () => rings,
  };
}

function isTelling({ kind }: Effect): boolean {
  return kind === "project";
}

function isFlying({ status, lane }: Run): boolean {
  return status === "running" && lane === "direct";
}

function laneOf(state: ExecutionState | null, run: string): Run["lane"] {
  return state?.runs.find(({ id }) => id === run)?.lane ?? null;
}
