// Timers due at one instant, their objects still awake: what is late is the work, not the waking. How late each fired is
// by the word of whoever it belongs to, so that it says when its turn came; how late its call was, by the sink's.
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
