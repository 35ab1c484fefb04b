// Simulates the gate of a connection with many callers that may be slow, lost, late or duplicated. The clock may jump
// and the object may sleep. Each event checks the gate's guarantees; a seed repeats the simulation.
import { acquire, openGate, release, stateToStore, type GateState } from "#policy/gates/connection.ts";
import type { AcquireItem, ReleaseItem, ConnectionLimits } from "#schema/gate.ts";
import {
  GATE_EVICTED_AFTER_MS,
  GATE_WRITE_AFTER_MS,
  SLOT_LEASE_GRACE_MS,
  WAIT_IN_PLACE_MS,
  WAIT_QUEUE_ABANDONED_MS,
} from "#schema/limits/outgoing/connection-limits.ts";
import { openTurnQueue } from "#kernel/virtual/turn-queue.ts";
import { chanceOf } from "#test/sim/kit/chance.ts";

export type World = {
  readonly seed: string;
  readonly terms: ConnectionLimits;
  readonly callers: number;
  /** The calls arrive one after the other within this time (ms). */
  readonly withinMs: number;
  readonly timeoutMs: number;
  readonly tookMs: readonly [low: number, high: number];
  /** A call returns at most this much after its return time (ms). */
  readonly lateMs: number;
  readonly slow?: number;
  readonly dying?: number;
  readonly doubled?: number;
  readonly refused?: number;
  /** Calls that start within this time fail. */
  readonly outage?: readonly [from: number, to: number];
  /** Clock changes: at each time the clock moves by this many milliseconds. */
  readonly jumps?: readonly (readonly [at: number, byMs: number])[];
};

export type Played = {
  readonly through: number;
  readonly deliveries: number;
  readonly asks: number;
  readonly waitsMs: readonly number[];
  /** The longest wait (ms) among the calls of the second half. */
  readonly lastWaitMs: number;
  readonly endedAt: number;
  readonly busyMs: number;
  /** The largest number of calls with the same return time. */
  readonly crowd: number;
  readonly wrongs: readonly string[];
  readonly state: GateState;
  readonly now: number;
};

type Caller = {
  readonly key: string;
  readonly cameAt: number;
  /** The promised return time by the clock, and when it was promised; null for a new call. */
  readonly told: { readonly until: number; readonly reason: AcquireItem["promisedFor"]; readonly turn: number } | null;
  readonly waits: number;
};
/** `late`: the return time was promised so long ago, or by so different a clock, that no slot is reserved any more. */
type Standing = "newcomer" | "late" | "told";
type Call = { readonly standing: Standing; readonly turn: number; readonly expiresAt: number };
type Due = { readonly at: number; readonly act: () => void };

const T = 1_000_000_000;
/** A simulation with more events would never end. */
const EVENTS_MAX = 100_000;

export function play(world: World): Played {
  const chance = chanceOf(world.seed);
  const { terms, lateMs, timeoutMs } = world;
  const [concurrency, wrongs] = [terms.concurrency ?? Infinity, [] as string[]];
  const queue = openTurnQueue<Due>();
  const calls = new Map<string, Call>();
  const told = new Map<number, number>();
  const [waitsMs, went]: [number[], number[]] = [[], []];
  let [state, time, skew, turn, jumpedAt, asks, busyMs, deliveries] = [openGate, 0, 0, 0, -1, 0, 0, world.callers];
  let lastWaitMs = 0;
  const now = () => T + time + skew;
  const at = (when: number, act: () => void): void => {
    queue.put(when, { at: when, act });
  };
  const wrong = (what: string): void => void wrongs.push(`${what} (seed ${world.seed}, event ${turn}, at ${time} ms)`);

  const come = (caller: Caller): void => {
    // The caller's alarm follows the clock, which was set back.
    if (caller.told !== null && caller.told.until > now()) return at(caller.told.until - T - skew, () => come(caller));
    asks += 1;
    const expiresAt = now() + timeoutMs + SLOT_LEASE_GRACE_MS;
    const item: AcquireItem = {
      key: caller.key,
      expiresAt,
      promisedAt: caller.told?.until ?? null,
      ...(caller.told?.reason === undefined ? {} : { promisedFor: caller.told.reason }),
    };
    const asked = acquire(state, terms, [item], now());
    state = asked.state;
    const [answer] = asked.answers;
    if (answer?.ok) return begin(caller, expiresAt);
    if (answer === undefined) return wrong("a gate answers every question");
    const { until, reason } = answer.hold;
    if (until <= now()) wrong(`told to come back at once: ${reason}`);
    if (reason === "concurrency") {
      checkPromise(caller);
      told.set(until, (told.get(until) ?? 0) + 1);
    }
    const waitMs = until - now();
    const inPlace = waitMs <= WAIT_IN_PLACE_MS && caller.waits < 3;
    const late = inPlace ? 0 : chance.between(0, lateMs);
    const next = { ...caller, told: { until, reason, turn }, waits: inPlace ? caller.waits + 1 : 0 };
    at(time + waitMs + late, () => come(next));
  };

  const standingOf = ({ told: promise }: Caller): Standing => {
    if (promise === null) return "newcomer";
    const isKept = promise.reason === "concurrency" && promise.turn > jumpedAt;
    return isKept && now() - promise.until <= WAIT_QUEUE_ABANDONED_MS ? "told" : "late";
  };

  /** If a call that returned on time found no slot, no new call may have taken one. A late call may have. */
  const checkPromise = (caller: Caller): void => {
    if (standingOf(caller) !== "told") return;
    const since = [...calls.values()].filter(({ turn }) => turn > (caller.told?.turn ?? 0));
    const count = (standing: Standing) => since.filter((call) => call.standing === standing).length;
    if (count("newcomer") > count("late")) wrong("a promise was broken for a newcomer");
  };

  const begin = (caller: Caller, expiresAt: number): void => {
    waitsMs.push(time - caller.cameAt);
    if (caller.cameAt > world.withinMs / 2) lastWaitMs = Math.max(lastWaitMs, time - caller.cameAt);
    went.push(time);
    if (!state.leases[caller.key] && (terms.concurrency !== null || terms.breaker !== null)) wrong("no lease was kept");
    calls.set(caller.key, { standing: standingOf(caller), turn, expiresAt });
    const dies = chance.yes(world.dying ?? 0);
    const slow = chance.yes(world.slow ?? 0);
    const tookMs = slow ? timeoutMs : chance.between(...world.tookMs);
    if (dies) busyMs += timeoutMs + SLOT_LEASE_GRACE_MS;
    if (dies) return at(time + timeoutMs + SLOT_LEASE_GRACE_MS, () => void calls.delete(caller.key));
    busyMs += tookMs;
    at(time + tookMs, () => end(caller.key));
  };

  const end = (key: string): void => {
    const isOut = world.outage !== undefined && time >= world.outage[0] && time < world.outage[1];
    const refused = chance.yes(world.refused ?? 0);
    const said: Pick<ReleaseItem, "outcome" | "answered"> = isOut
      ? { outcome: "failed" }
      : refused
        ? { outcome: "ignored", answered: true }
        : { outcome: "ok" };
    calls.delete(key);
    state = release(state, terms, [{ lease: key, ...said, retryAfterMs: null }], now());
    if (state.leases[key]) wrong("a lease that was given back is there");
  };

  const check = (): void => {
    // By the clock these leases have expired, so they do not count.
    for (const [key, { expiresAt }] of calls) if (expiresAt <= now()) calls.delete(key);
    if (calls.size > concurrency) wrong(`${calls.size} calls at once`);
    if (Object.keys(state.leases).length > concurrency) wrong("more leases than slots");
    for (const key of calls.keys())
      if (terms.concurrency !== null && !state.leases[key]) wrong(`the lease of ${key} is lost`);
    const { probes } = countProbes(state);
    if (terms.breaker && probes > terms.breaker.halfOpenProbes) wrong(`${probes} probes at once`);
  };

  for (let n = 0; n < world.callers; n++) {
    const cameAt = Math.floor((n / world.callers) * world.withinMs);
    const come1 = (delivery: number) => come({ key: `run-${n}/1/${delivery}`, cameAt, told: null, waits: 0 });
    at(cameAt, () => come1(1));
    // A duplicate after a crash, while the first call is still in progress.
    if (!chance.yes(world.doubled ?? 0)) continue;
    deliveries += 1;
    at(cameAt + chance.between(0, 1_000), () => come1(2));
  }
  for (const [when, byMs] of world.jumps ?? []) {
    at(when, () => {
      skew += byMs;
      if (byMs < 0) for (const [key, call] of calls) calls.set(key, { ...call, expiresAt: call.expiresAt + byMs });
      jumpedAt = turn;
    });
  }
  for (let next = queue.takeFirst(); next !== null && wrongs.length === 0; next = queue.takeFirst()) {
    if (turn === EVENTS_MAX) wrong("it never ends");
    if (next.at - time > GATE_EVICTED_AFTER_MS) state = asleep(state, now() + GATE_WRITE_AFTER_MS);
    time = Math.max(time, next.at);
    turn += 1;
    next.act();
    check();
  }
  checkRate(world, went, wrong);
  const crowd = [...told.values()].reduce((most, count) => Math.max(most, count), 0);
  return {
    through: waitsMs.length,
    deliveries,
    asks,
    waitsMs,
    lastWaitMs,
    endedAt: time,
    busyMs,
    crowd,
    wrongs,
    state,
    now: now(),
  };
}

function countProbes(state: GateState): { readonly probes: number } {
  return { probes: Object.values(state.leases).filter(({ isProbe }) => isProbe).length };
}

/** Returns the state that the object's storage restores after an eviction. */
function asleep(state: GateState, at: number): GateState {
  return (JSON.parse(JSON.stringify(stateToStore(state, at))) as GateState | null) ?? openGate; // storage.ts reads the same type
}

function checkRate({ terms, jumps = [] }: World, went: readonly number[], wrong: (what: string) => void): void {
  const { rate } = terms;
  if (rate === null || jumps.length > 0) return;
  for (let from = 0; from < went.length; from++) {
    for (let to = from; to < Math.min(went.length, from + 50); to++) {
      const span = (went[to] ?? 0) - (went[from] ?? 0);
      if (to - from + 1 > rate.burst + (span * rate.calls) / rate.perMs + 1e-6)
        return wrong("more calls than the rate");
    }
  }
}
