// What an execution costs the platform, read off the steps that it makes: rows and requests of its own object, messages of
// the queues, rows of the catalog. The object's habits (durable-objects/execution/) are followed here: a commit is a row, and
// so is an alarm that is set; lists are told in one message. test/cost/forecast.alone.workers.test.ts holds it against what is
// metered.
import { assert } from "#kernel/assert.ts";
import type { Stepped } from "#kernel/execution/step.ts";
import type { Watch } from "#kernel/virtual/play.ts";
import type { Effect } from "#schema/engine/effect.ts";
import type { Command } from "#schema/engine/input.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { limits } from "#schema/limits.ts";
import { GATE_ASLEEP_AFTER_MS } from "#schema/limits/outgoing-calls.ts";
import type { PlatformCounts } from "#schema/virtual/forecast.ts";
import { openAlarmMeter } from "./alarm-meter.ts";
import type { CatalogTeller } from "./catalog-meter.ts";
import { perExecution, perSubject } from "#schema/limits/platform-costs.ts";

/** What one commit takes in: an input, and the claims that the object makes along with it. */
type Turn = {
  readonly at: number;
  /** Its object had been put to sleep since. */
  readonly hasSlept: boolean;
  /** By its alarm. */
  readonly isAwoken: boolean;
  state: ExecutionState;
  entries: number;
  isTold: boolean;
};

export type CellMeter = {
  readonly watch: Watch;
  /** Once it is over. */
  readonly counts: () => PlatformCounts;
};

/** `tell`: what the catalog is told of it, whose rows are counted there. */
export function openCellMeter(tell: CatalogTeller): CellMeter {
  const spent = { rows: 0, requests: 0, messages: 0 };
  const alarm = openAlarmMeter();
  const turns = openTurnMeter(spent, alarm, tell);
  const post = openPostMeter(spent);
  let before: ExecutionState | null = null;

  const begin = (command: Command, { state, entries, effects }: Stepped, at: number): void => {
    turns.commit();
    if (before !== null) alarm.ringUntil(before, at);
    if (command.kind === "tick") alarm.ring(at);
    else if (command.kind === "start") {
      spent.rows += perExecution.rows + (state.subject ? perSubject.rows : 0);
      spent.requests += perExecution.requests + (state.subject ? perSubject.requests : 0);
    } else if (command.kind !== "settle" || isQueued(before, command.run)) spent.requests += 1;
    const hasSlept = before !== null && at - before.updatedAt > GATE_ASLEEP_AFTER_MS;
    turns.begin({
      at,
      hasSlept,
      isAwoken: hasSlept && command.kind === "tick",
      state,
      entries: entries.length,
      isTold: effects.some(isTelling),
    });
  };

  return {
    watch: (command, stepped, at) => {
      const { state, effects, entries } = stepped;
      const isAlong = command.kind === "claim" && (command.lane === "direct" || post.carries(command.run));
      if (isAlong) turns.add(state, entries.length, effects.some(isTelling));
      else begin(command, stepped, at);
      post.send(effects, command.kind === "settle" && isQueued(before, command.run));
      before = state;
    },
    counts: () => {
      turns.commit();
      const { rows, requests, messages: queueMessages } = spent;
      const { rows: alarmsSet, rings } = alarm.counts();
      return { objectRows: rows + alarmsSet, objectRequests: requests + rings, queueMessages, catalogRows: 0 };
    },
  };
}

type Spent = { rows: number; requests: number; messages: number };

/** Commits, and what follows each: the alarm, the lists. */
function openTurnMeter(spent: Spent, alarm: ReturnType<typeof openAlarmMeter>, tell: CatalogTeller) {
  let turn: Turn | null = null;
  let tail = 0;
  return {
    begin: (begun: Turn): void => {
      turn = begun;
    },
    add: (state: ExecutionState, entries: number, isTold: boolean): void => {
      assert(turn, "what is claimed along was sent off in the same turn");
      turn = { ...turn, state, entries: turn.entries + entries, isTold: turn.isTold || isTold };
    },
    commit: (): void => {
      if (turn === null) return;
      const { at, state, entries, isTold, isAwoken, hasSlept } = turn;
      turn = null;
      spent.rows += 1;
      tail += entries;
      if (tail > limits.journalPageEntriesMax) {
        spent.rows += 1;
        tail = 0;
      }
      alarm.arm(state, at, isTold);
      // One that has slept does not know that the lists have been told of its last turn, and tells them again.
      const tells = isTold || isAwoken;
      if (!tells && state.finishedAt === null) return;
      if (tells) spent.messages += 1;
      if (tells) tell(state, at, hasSlept);
      if (!state.runs.some(isFlying)) alarm.armExactly(state, at);
    },
  };
}

/** What is owed to others, and sent to them as a message. */
const OWED: ReadonlySet<Effect["kind"]> = new Set(["signal", "errands", "enlist", "subject"]);

/** Messages. The run that a settlement brings along needs none, and no call of its own. */
function openPostMeter(spent: Spent) {
  let carried: string | null = null;
  const sendOne = (effect: Effect, isSettled: boolean): void => {
    if (effect.kind === "dispatch" && effect.lane === "queue") {
      if (isSettled && carried === null && effect.timeoutMs === undefined) carried = effect.run;
      else spent.messages += 1;
    }
    if (OWED.has(effect.kind)) spent.messages += 1;
    if (effect.kind !== "subject") return;
    spent.requests += perSubject.endRequests;
    spent.rows += perSubject.endRows;
  };
  return {
    carries: (run: string): boolean => carried === run,
    send: (effects: readonly Effect[], isSettled: boolean): void => {
      carried = null;
      for (const effect of effects) sendOne(effect, isSettled);
    },
  };
}

function isTelling({ kind }: Effect): boolean {
  return kind === "project";
}

function isFlying({ status, lane }: Run): boolean {
  return status === "running" && lane === "direct";
}

function isQueued(state: ExecutionState | null, run: string): boolean {
  return state?.runs.find(({ id }) => id === run)?.lane === "queue";
}
