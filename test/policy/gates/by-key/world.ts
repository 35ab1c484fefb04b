// Simulates the keys of one limit with many runs that arrive, wait, return late and end. Each start is checked against
// the terms; a seed repeats the simulation.
import { openTurnQueue } from "#kernel/virtual/turn-queue.ts";
import { acquireByKey, releaseByKey } from "#policy/gates/by-key/admission.ts";
import type { KeyLimitState } from "#policy/gates/by-key/state.ts";
import { passOnSlots, releaseAndWake, type WakeResult } from "#policy/gates/by-key/wake.ts";
import type { KeyLimitRequest, KeyLimitTerms } from "#schema/key-limits/calls.ts";
import { chanceOf, type Chance } from "#test/sim/kit/chance.ts";

export type World = {
  readonly seed: string;
  readonly terms: KeyLimitTerms;
  readonly runs: number;
  readonly keys: number;
  /** The greedy key's share of the runs. */
  readonly greedy: number;
  readonly greedyIsAbsent?: boolean;
  readonly withinMs: number;
  readonly tookMs: readonly [low: number, high: number];
  /** A run returns at most this much after its return time. */
  readonly lateMs: number;
  /** The longest time from a release to the return of the run that it wakes. Absent: a release wakes no run. */
  readonly wakeMs?: number;
  /** The share of the wake-ups that are lost. */
  readonly lostWakes?: number;
  /** The share of the waiting runs that are canceled when they have waited for a second. */
  readonly canceled?: number;
};
type Run = { readonly id: string; readonly key: string; readonly at: number; readonly chance: Chance };
type Waiting = { readonly run: Run; readonly waited: NonNullable<KeyLimitRequest["waited"]> };
type Key = {
  state: KeyLimitState | null;
  inUse: number;
  starts: number[];
  line: string[];
  waiting: Map<string, Waiting>;
};
type Due = { readonly at: number; readonly act: () => void };

const T = 1_000_000_000_000;

export function play(world: World) {
  const { terms } = world;
  const wrongs: string[] = [];
  const queue = openTurnQueue<Due>();
  const keys = new Map<string, Key>();
  const modestWaitsMs: number[] = [];
  let [started, skipped, canceled, asks, wakes, overtakings] = [0, 0, 0, 0, 0, 0];
  let [lastMs, greedyMs, greedyStarts] = [0, 0, 0];
  const put = (at: number, act: () => void): void => queue.put(at, { at, act });
  const keyOf = (name: string): Key => {
    const key = keys.get(name) ?? { state: null, inUse: 0, starts: [], line: [], waiting: new Map() };
    keys.set(name, key);
    return key;
  };

  const ask = (run: Run, waited: KeyLimitRequest["waited"], now: number): void => {
    const key = keyOf(run.key);
    asks += 1;
    const request = { key: run.key, id: run.id, expiresAt: now + 60_000, isFirst: true, waited };
    const { state, answer } = acquireByKey(key.state, terms, request, now);
    key.state = state;
    if (waited === null && answer.kind !== "skipped") key.line.push(run.id);
    switch (answer.kind) {
      case "skipped":
        skipped += 1;
        return;
      case "held": {
        if (answer.until <= now) wrongs.push(`${run.id} returns at once`);
        const at = answer.until + run.chance.between(0, world.lateMs);
        const waited = { since: answer.since, stage: answer.stage };
        const waiting = { run, waited };
        key.waiting.set(run.id, waiting);
        put(at, () => comeBack(key, waiting, at));
        if (run.chance.yes(world.canceled ?? 0)) put(now + 1_000, () => cancel(key, run));
        return;
      }
      case "admitted":
        return start(run, key, now);
    }
  };

  const comeBack = (key: Key, waiting: Waiting, now: number): void => {
    if (key.waiting.get(waiting.run.id) !== waiting) return;
    key.waiting.delete(waiting.run.id);
    ask(waiting.run, waiting.waited, now);
  };

  const cancel = (key: Key, run: Run): void => {
    if (!key.waiting.delete(run.id)) return;
    canceled += 1;
    key.line.splice(key.line.indexOf(run.id), 1);
  };

  /** The service that releases a slot wakes the next runs, and passes on the slots of runs that no longer wait. */
  const wakeRuns = (key: Key, change: (state: KeyLimitState) => WakeResult, now: number): void => {
    if (key.state === null) return;
    const { state, wake } = change(key.state);
    key.state = state;
    if (wake.length > (terms.singleton === undefined ? (terms.concurrency ?? 0) : 1)) wrongs.push("too many are woken");
    wakes += wake.length;
    const gone = wake.filter(({ id }) => !key.waiting.has(id)).map(({ id }) => id);
    for (const { id, at } of wake) {
      const waiting = key.waiting.get(id);
      if (waiting === undefined || waiting.run.chance.yes(world.lostWakes ?? 0)) continue;
      const back = Math.max(at, now + waiting.run.chance.between(0, world.wakeMs ?? 0));
      put(back, () => comeBack(key, waiting, back));
    }
    if (gone.length > 0) wakeRuns(key, (before) => passOnSlots(before, gone, now), now);
  };

  const start = (run: Run, key: Key, now: number): void => {
    started += 1;
    lastMs = now - T;
    if (run.key !== "greedy") modestWaitsMs.push(now - run.at);
    // The first runs in the line may start in any order if as many slots are free.
    if (key.line.indexOf(run.id) >= Math.min(terms.concurrency ?? 1, key.line.length)) overtakings += 1;
    key.line.splice(key.line.indexOf(run.id), 1);
    key.inUse += 1;
    key.starts.push(now);
    check(run.key, key, now);
    const tookMs = run.chance.between(...world.tookMs);
    if (run.key === "greedy") {
      greedyMs += tookMs;
      greedyStarts += 1;
    }
    const endsAt = now + tookMs;
    put(endsAt, () => {
      key.inUse -= 1;
      const release = { key: run.key, id: run.id, wasSent: true };
      if (world.wakeMs !== undefined) wakeRuns(key, (before) => releaseAndWake(before, release, endsAt), endsAt);
      else if (key.state !== null) key.state = releaseByKey(key.state, release, endsAt);
    });
  };

  const check = (name: string, { inUse, starts }: Key, now: number): void => {
    const { concurrency = Infinity, singleton, throttle, rate } = terms;
    if (inUse > (singleton === undefined ? concurrency : 1)) wrongs.push(`${name} has ${inUse} runs at ${now - T}`);
    const within = (ms: number): number => starts.filter((at) => at > now - ms).length;
    if (rate && within(rate.perMs) > rate.max) wrongs.push(`${name} exceeds the rate at ${now - T}`);
    // In any t milliseconds at most burst + t * calls / perMs runs start.
    if (throttle && within(throttle.perMs) > throttle.burst + throttle.calls)
      wrongs.push(`${name} exceeds the throttle at ${now - T}`);
  };

  const chance = chanceOf(world.seed);
  for (let n = 0; n < world.runs; n++) {
    const isGreedy = chance.yes(world.greedy);
    const key = isGreedy ? "greedy" : `key-${chance.between(1, world.keys - 1)}`;
    const at = T + chance.between(0, world.withinMs);
    const run = { id: `run-${n}`, key, at, chance: chanceOf(`${world.seed} ${n}`) };
    if (!isGreedy || !world.greedyIsAbsent) put(at, () => ask(run, null, at));
  }
  for (let due = queue.takeFirst(); due !== null; due = queue.takeFirst()) due.act();
  modestWaitsMs.sort((a, b) => a - b);
  const left = [...keys.values()].reduce((sum, { waiting }) => sum + waiting.size, 0);
  if (left > 0) wrongs.push(`${left} runs still wait at the end`);
  const counts = { started, skipped, canceled, asks, wakes, overtakings };
  return { wrongs, ...counts, lastMs, greedyMs, greedyStarts, modestWaitsMs };
}
