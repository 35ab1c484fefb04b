// What an execution costs the platform, read off the steps that it makes: rows and requests of objects, messages of queues.
// The object's habits (durable-objects/execution/) are followed here and in the cells that it may live in. test/cost/forecast.alone.workers.test.ts holds it against what is
// metered.
import { assert } from "#kernel/assert.ts";
import type { Stepped } from "#kernel/execution/step.ts";
import type { Watch } from "#kernel/virtual/play.ts";
import type { Effect } from "#schema/engine/effect.ts";
import type { Command } from "#schema/engine/input.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { limits } from "#schema/limits.ts";
import type { PlatformCounts } from "#schema/virtual/forecast.ts";
import type { CellOfOne } from "./own-cell.ts";
import { perSubject } from "#schema/limits/platform-costs.ts";

/** What one commit takes in: an input, and the claims that the object makes along with it. */
type Turn = { readonly at: number; state: ExecutionState; entries: number; isTold: boolean };

export type CellMeter = {
  readonly watch: Watch;
  /** Once it is over. */
  readonly counts: () => PlatformCounts;
};

/** `cellFor`: where it lives, as its start says. */
export function openCellMeter(cellFor: (state: ExecutionState) => CellOfOne): CellMeter {
  const spent = { rows: 0, requests: 0, messages: 0 };
  const post = openPostMeter(spent);
  let before: ExecutionState | null = null;
  let turns: ReturnType<typeof openTurnMeter> | null = null;
  let cell: CellOfOne | null = null;

  const begin = (command: Command, { state, entries, effects }: Stepped, at: number): void => {
    cell ??= cellFor(state);
    turns ??= openTurnMeter(spent, cell);
    turns.commit();
    if (command.kind === "start" && state.subject) {
      spent.rows += perSubject.rows;
      spent.requests += perSubject.requests;
    }
    // What the object itself carries out it settles without being called.
    if (command.kind === "tick" || command.kind === "start") cell.comes(command.kind, before, at);
    else cell.comes(command.kind !== "settle" || isQueued(before, command.run) ? "call" : "landing", before, at);
    turns.begin({ at, state, entries: entries.length, isTold: effects.some(isTelling) });
  };

  return {
    watch: (command, stepped, at) => {
      const { state, effects, entries } = stepped;
      const isAlong = command.kind === "claim" && (command.lane === "direct" || post.carries(command.run));
      if (isAlong) turns?.add(state, entries.length, effects.some(isTelling));
      else begin(command, stepped, at);
      post.send(effects, command.kind === "settle" && isQueued(before, command.run));
      before = state;
    },
    counts: () => {
      turns?.commit();
      const own = cell?.counts() ?? spent;
      return {
        objectRows: spent.rows + own.rows,
        objectRequests: spent.requests + own.requests,
        queueMessages: spent.messages + own.messages,
        catalogRows: 0,
      };
    },
  };
}

type Spending = { rows: number; requests: number; messages: number };

/** Commits: a row each, and now and then a page of the journal. */
function openTurnMeter(spent: Spending, cell: CellOfOne) {
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
      const { at, state, entries, isTold } = turn;
      turn = null;
      spent.rows += 1;
      tail += entries;
      if (tail > limits.journalPageEntriesMax) {
        spent.rows += 1;
        tail = 0;
      }
      cell.committed(state, at, isTold);
    },
  };
}

/** Messages. The run that a settlement brings along needs none, and no call of its own. */
function openPostMeter(spent: Spending) {
  let carried: string | null = null;
  const sendOne = (effect: Effect, isSettled: boolean): void => {
    if (effect.kind === "dispatch" && effect.lane === "queue") {
      if (isSettled && carried === null && effect.timeoutMs === undefined) carried = effect.run;
      else spent.messages += 1;
    }
    if (effect.kind !== "send") return;
    spent.messages += 1;
    if (effect.messages.every(({ kind }) => kind !== "subject_ended")) return;
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

function isQueued(state: ExecutionState | null, run: string): boolean {
  return state?.runs.find(({ id }) => id === run)?.lane === "queue";
}
