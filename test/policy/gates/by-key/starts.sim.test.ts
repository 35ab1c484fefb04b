// Simulator of limits on starts: 10,000 starts over 100 keys, one of them greedy, with faults. No key has more live
// executions than its limit at any instant, and every start begins or is skipped.
import { describe, expect, test } from "vitest";
import { openTurnQueue } from "#kernel/virtual/turn-queue.ts";
import { acquireStart, releaseStart } from "#policy/gates/by-key/starts.ts";
import type { KeyLimitState } from "#policy/gates/by-key/state.ts";
import type { KeyLimitRequest, KeyLimitTerms } from "#schema/key-limits/calls.ts";
import { LIMIT_SLOT_FOREVER } from "#schema/limits/limits-by-key.ts";
import { chanceOf, type Chance } from "#test/sim/kit/chance.ts";

const second = 1_000;
const minute = 60 * second;
const T = 1_000_000_000_000;

type Faults = {
  /** The share of the releases that never arrive, that arrive twice, and of the wake-ups that are lost. */
  readonly lost: number;
  readonly repeated: number;
  readonly lostWakes: number;
  /** The share of the answers that are lost because the process that asked was killed. */
  readonly killed: number;
  /** The share of the waiting executions that are canceled when they have waited for a minute. */
  readonly canceled: number;
};
const NONE: Faults = { lost: 0, repeated: 0, lostWakes: 0, killed: 0, canceled: 0 };

type Start = { readonly id: string; readonly key: string; readonly at: number; readonly chance: Chance };
type Waited = NonNullable<KeyLimitRequest["waited"]>;
/** `turn`: counts the requests, so that an earlier planned request of the same execution is ignored. */
type Execution = { readonly start: Start; status: "waiting" | "live" | "ended"; waited: Waited | null; turn: number };
type Key = { state: KeyLimitState | null; live: number };

function play(terms: KeyLimitTerms, faults: Faults, seed: string) {
  const [starts, keyCount, withinMs] = [10_000, 100, 100 * minute];
  const wrongs: string[] = [];
  const queue = openTurnQueue<{ readonly at: number; readonly act: () => void }>();
  const put = (at: number, act: () => void): void => queue.put(at, { at, act });
  const keys = new Map<string, Key>();
  const executions = new Map<string, Execution>();
  const modestWaitsMs: number[] = [];
  const count = { begun: 0, skipped: 0, canceled: 0, asks: 0 };
  const max = terms.singleton === undefined ? (terms.concurrency ?? Infinity) : 1;
  const keyOf = (name: string): Key => {
    const key = keys.get(name) ?? { state: null, live: 0 };
    keys.set(name, key);
    return key;
  };
  const evictions = chanceOf(`${seed} evictions`);
  /** Some calls reach an object that was evicted, so that it reads its stored row. */
  const read = ({ state }: Key): KeyLimitState | null =>
    evictions.yes(0.01) ? (JSON.parse(JSON.stringify(state)) as KeyLimitState | null) : state;
  const write = (key: Key, state: KeyLimitState): void => void (key.state = state);

  const ask = (execution: Execution, now: number, checked?: readonly string[]): void => {
    if (execution.status !== "waiting") return;
    const { start, waited } = execution;
    const key = keyOf(start.key);
    count.asks += 1;
    execution.turn += 1;
    const request = { key: start.key, id: start.id, expiresAt: LIMIT_SLOT_FOREVER, isFirst: true, waited };
    const { state, answer } = acquireStart(
      read(key),
      terms,
      { ...request, ...(checked ? { live: checked } : {}) },
      now,
    );
    write(key, state);
    if (checked === undefined && start.chance.yes(faults.killed)) return askAt(execution, now + minute);
    if (answer.kind === "admitted") return begin(execution, key, now);
    if (answer.doubts !== undefined && checked === undefined) {
      const isLive = (id: string): boolean => executions.get(id)?.status !== "ended";
      for (const id of answer.doubts.filter((each) => !isLive(each))) release({ ...start, id }, now);
      return ask(execution, now, answer.doubts.filter(isLive));
    }
    for (const id of answer.kind === "held" ? (answer.replaces ?? []) : []) put(now + 1, () => cancel(id, now + 1));
    if (answer.kind === "skipped") {
      execution.status = "ended";
      count.skipped += 1;
      return;
    }
    execution.waited = { since: answer.since, stage: answer.stage };
    if (answer.until <= now) wrongs.push(`${start.id} asks at once`);
    askAt(execution, answer.until + start.chance.between(0, 2 * second));
  };

  const askAt = (execution: Execution, at: number): void => {
    const { turn } = execution;
    put(at, () => (execution.turn === turn ? ask(execution, at) : undefined));
  };

  const begin = (execution: Execution, key: Key, now: number): void => {
    const { start } = execution;
    execution.status = "live";
    key.live += 1;
    count.begun += 1;
    if (key.live > max) wrongs.push(`${start.key} has ${key.live} live executions`);
    if (start.key !== "greedy") modestWaitsMs.push(now - start.at);
    const endsAt = now + start.chance.between(second, 14 * second);
    put(endsAt, () => end(start.id, endsAt));
  };

  const end = (id: string, now: number): void => {
    const execution = executions.get(id);
    if (execution === undefined || execution.status === "ended") return;
    const { start, status } = execution;
    execution.status = "ended";
    if (status === "live") keyOf(start.key).live -= 1;
    if (start.chance.yes(faults.lost)) return;
    release(start, now);
    if (start.chance.yes(faults.repeated)) put(now + 90 * second, () => release(start, now + 90 * second));
  };

  const release = (start: Start, now: number): void => {
    const key = keyOf(start.key);
    const state = read(key);
    if (state === null) return;
    const released = releaseStart(state, { key: start.key, id: start.id, wasSent: true }, now);
    write(key, released.state);
    for (const { id } of released.wake) {
      const woken = executions.get(id);
      if (woken === undefined || woken.start.chance.yes(faults.lostWakes)) continue;
      const at = now + woken.start.chance.between(10, second);
      put(at, () => ask(woken, at));
    }
  };

  const cancel = (id: string, now: number): void => {
    if (executions.get(id)?.status === "waiting") count.canceled += 1;
    end(id, now);
  };

  for (let n = 0; n < starts; n++) {
    const chance = chanceOf(`${seed} ${n}`);
    const key = chance.yes(0.3) ? "greedy" : `k${Math.floor(chance.between(1, keyCount))}`;
    const start = { id: `exe_${n}`, key, at: T + chance.between(0, withinMs), chance };
    const execution: Execution = { start, status: "waiting", waited: null, turn: 0 };
    executions.set(start.id, execution);
    put(start.at, () => ask(execution, start.at));
    const impatientAt = start.at + minute;
    if (chance.yes(faults.canceled))
      put(impatientAt, () => (execution.status === "waiting" ? cancel(start.id, impatientAt) : undefined));
  }
  for (let due = queue.takeFirst(); due !== null; due = queue.takeFirst()) due.act();
  const left = [...executions.values()].filter(({ status }) => status !== "ended").length;
  if (left > 0) wrongs.push(`${left} executions still wait at the end`);
  modestWaitsMs.sort((a, b) => a - b);
  return { ...count, wrongs, accounted: count.begun + count.skipped + count.canceled, modestWaitsMs };
}

const worlds: { readonly [name: string]: KeyLimitTerms } = {
  concurrency: { of: "starts", concurrency: 5 },
  "concurrency and throttle": { of: "starts", concurrency: 5, throttle: { calls: 60, perMs: minute, burst: 5 } },
  "singleton that skips": { of: "starts", singleton: "skip" },
  "singleton that cancels": { of: "starts", singleton: "cancel" },
  rate: { of: "starts", rate: { max: 20, perMs: minute }, concurrency: 5 },
};
const hard: Faults = { lost: 0.005, repeated: 0.2, lostWakes: 0.1, killed: 0.02, canceled: 0.05 };

describe.each(Object.entries(worlds))("10,000 starts over 100 keys, %s:", (name, terms) => {
  test.each([
    ["without faults", NONE],
    ["with lost and repeated messages, killed processes and cancellations", hard],
  ])("no key exceeds its limit, and every start begins, is skipped or canceled, %s", (_case, faults) => {
    const played = play(terms, faults, name);
    expect(played.wrongs).toEqual([]);
    expect(played.accounted).toBe(10_000);
    expect(played.asks).toBeLessThan(10_000 * 12);
  });
});

test("the greedy key delays no other key", () => {
  const { modestWaitsMs, wrongs } = play({ of: "starts", concurrency: 5 }, NONE, "fair");
  expect(wrongs).toEqual([]);
  expect(modestWaitsMs[Math.floor(modestWaitsMs.length * 0.99)]).toBeLessThan(second);
});
