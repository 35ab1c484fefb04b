// Timed-call workload: timers that are due at one instant and then call the sink. It measures how late each timer
// fired, as the contender recorded it, and how late its call reached the sink. The objects are still in memory, so
// waking them is not measured.
import { runBurst } from "../drive.ts";
import { percentile } from "../meter.ts";
import type { Bench, Measurement } from "../row.ts";
import { STARTED_LATE } from "./calendar.ts";
import { oneAction, percentilesOf, withClient } from "./work.ts";

const CONCURRENCY = 32;

export async function measureTimedCalls(bench: Bench): Promise<Measurement> {
  const { sink, scale } = bench;
  const due = Date.now() + scale.timerMs;
  const dueAt = (): number => due;
  return withClient(bench, { ...oneAction(bench, 0), dueAt }, CONCURRENCY, async (client) => {
    const asked = { count: scale.timers, concurrency: CONCURRENCY, schedule: { dueAt, lastDueAt: due } };
    const driven = await runBurst(client, sink, asked);
    const late = (await sink.takeFirings()).map((at) => at - due);
    const [firedP50, firedP99] = [0.5, 0.99].map((share) => percentile(late, share));
    const failure = driven.failure ?? (driven.startedAt > due ? STARTED_LATE : null);
    const fired = { firedP50: firedP50 ?? null, firedP99: firedP99 ?? null };
    return { ...fired, ...percentilesOf(driven), failure, asked: scale.timers, completed: driven.arrivals.length };
  });
}
