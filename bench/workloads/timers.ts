// Timed-call workload: timers that are due at one instant and then call the sink. It measures how late each timer
// fired, as the contender recorded it, and how late its call reached the sink. The objects are still in memory, so
// waking them is not measured.
import { burst } from "../drive.ts";
import { percentile } from "../meter.ts";
import type { Bench, Measured } from "../row.ts";
import { LATE } from "./calendar.ts";
import { sleeping, spread, withClient } from "./work.ts";

const CONCURRENCY = 32;

export async function timers(bench: Bench): Promise<Measured> {
  const { sink, scale } = bench;
  const due = Date.now() + scale.timerMs;
  const dueAt = (): number => due;
  return withClient(bench, { ...sleeping(bench, 0), dueAt }, CONCURRENCY, async (client) => {
    const asked = { count: scale.timers, concurrency: CONCURRENCY, due: { at: dueAt, until: due } };
    const driven = await burst(client, sink, asked);
    const late = (await sink.firings()).map((at) => at - due);
    const [firedP50, firedP99] = [0.5, 0.99].map((share) => percentile(late, share));
    const failure = driven.failure ?? (driven.startedAt > due ? LATE : null);
    const fired = { firedP50: firedP50 ?? null, firedP99: firedP99 ?? null };
    return { ...fired, ...spread(driven), failure, asked: scale.timers, completed: driven.arrivals.length };
  });
}
