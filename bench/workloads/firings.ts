// Timer workloads: executions that only wait for a timer and then end, so only the contender's own work makes a timer
// late. Each contender reports when its timers fired.
import { clock } from "../clock.ts";
import type { Firing, Task } from "../contender.ts";
import { newRef, pause, type Client } from "../drive.ts";
import { percentile, readUsage } from "../meter.ts";
import type { Bench, Measurement } from "../row.ts";
import { STARTED_LATE } from "./calendar.ts";
import { oneAction, withClient } from "./work.ts";

const CONCURRENCY = 32;
/** CPU measurement begins this long before the first timer is due, when the starts are complete. */
const BEFORE_MS = 300;
/** When to read the fired timers. The first read comes when all should have fired, because reading costs CPU time. */
const [ASKED_AFTER_MS, ASKED_EVERY_MS, PATIENCE_MS] = [2_000, 1_000, 20_000];

/** Warm-up: a fifth of the timers fires before the measurement, so that compiling code is not measured. */
const [WARM_UP_PART, WARM_UP_MS, WARMED_UP_MS] = [5, 1_500, 1_000];

/** All timers are due at one instant. */
export async function measureAtOneInstant(bench: Bench): Promise<Measurement> {
  await warmUp(bench);
  const due = Date.now() + bench.scale.timerMs;
  const lateBy = ({ firedAt }: Firing): number => firedAt - due;
  return measureTimers(bench, timerDueAt(bench, due), { due, lateBy });
}

/** Each timer is due `timerMs` after its own start. Executions are started as fast as the contender accepts them. */
export async function measureInTurn(bench: Bench): Promise<Measurement> {
  await warmUp(bench);
  const { timerMs } = bench.scale;
  const lateBy = ({ startedAt, firedAt }: Firing): number => firedAt - startedAt - timerMs;
  return measureTimers(bench, timerOnly(bench, timerMs), { due: Date.now() + timerMs, lateBy });
}

function timerOnly(bench: Bench, sleepMs: number): Task {
  return { ...oneAction(bench, sleepMs), actions: [] };
}

function timerDueAt(bench: Bench, due: number): Task {
  return { ...timerOnly(bench, 0), dueAt: () => due };
}

async function warmUp(bench: Bench): Promise<void> {
  const due = Date.now() + WARM_UP_MS;
  const count = Math.ceil(bench.scale.timers / WARM_UP_PART);
  await withClient(bench, timerDueAt(bench, due), CONCURRENCY, (client) => startAll(client, count));
  await pause(Math.max(due, Date.now()) + WARMED_UP_MS - Date.now());
}

/** Starts `count` executions, and returns how many were refused. */
async function startAll(client: Client, count: number): Promise<number> {
  let left = count;
  let failed = 0;
  const one = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      if (!(await client.start(newRef()))) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, one));
  return failed;
}

type TimerTimes = { readonly due: number; readonly lateBy: (firing: Firing) => number };

async function measureTimers(bench: Bench, work: Task, { due, lateBy }: TimerTimes): Promise<Measurement> {
  const { hosted, scale } = bench;
  const { firings } = hosted;
  if (firings === undefined) throw new Error("nothing is known of its timers");
  const from = Date.now();
  const measured = async () => (await firings()).filter(({ startedAt }) => startedAt >= from);
  return withClient(bench, work, CONCURRENCY, async (client) => {
    const failedStarts = await startAll(client, scale.timers);
    const lastDue = work.dueAt === undefined ? Date.now() + work.sleepMs : Math.max(due, Date.now());
    const isLate = Date.now() > due - BEFORE_MS;
    await pause(Math.max(0, due - BEFORE_MS - Date.now()));
    const before = readUsage();
    await pause(lastDue + ASKED_AFTER_MS - Date.now());
    const after = readUsage();
    let fired = await measured();
    for (const asked = clock(); fired.length < scale.timers && clock() < asked + PATIENCE_MS; fired = await measured())
      await pause(ASKED_EVERY_MS);
    const late = fired.map(lateBy);
    const [firedP50, firedP99] = [0.5, 0.99].map((share) => percentile(late, share));
    const cpuMs = before && after ? (after.cpuMs - before.cpuMs) / scale.timers : null;
    const through = { asked: scale.timers, completed: fired.length, failedStarts };
    return {
      firedP50: firedP50 ?? null,
      firedP99: firedP99 ?? null,
      max: percentile(late, 1),
      cpuMs,
      ...through,
      failure: client.failure() ?? (isLate ? STARTED_LATE : null),
    };
  });
}
