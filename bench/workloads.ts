// Workloads: the list of measurements. Each runs for each of its contenders on a fresh host and returns one row.
import { contenders } from "./contender.ts";
import type { Bench, Workload } from "./row.ts";
import { measureMemory } from "./workloads/asleep.ts";
import { measureBurst } from "./workloads/bursting.ts";
import { objectsInMemoryMax, measureCalendar } from "./workloads/calendar.ts";
import { measureCrash } from "./workloads/crashing.ts";
import { measureAtOneInstant, measureInTurn } from "./workloads/firings.ts";
import { measureBesideFlood, FLOOD, MODEST_CONCURRENCY } from "./workloads/neighbour.ts";
import { measureBatches, BATCHES_AT_ONCE, measureClosedLoop } from "./workloads/steady.ts";
import { measureTimedCalls } from "./workloads/timers.ts";
import { fourSteps, oneAction, threeActions } from "./workloads/work.ts";

const { workflows, ownAuto, ownQueue, pooledAuto, pooledQueue, standalone, recurring, alarms, bare } = contenders;
const { workflowsApart, ownApart, pooledApart, webhookSteps, workerSteps } = contenders;
const all = [workflows, ownAuto, ownQueue, pooledAuto, pooledQueue];
const automatic = [workflows, ownAuto, pooledAuto];
/** All contenders and the bare object, which marks the upper limit. */
const withBare = [...all, bare];

const CONCURRENCY = 32;
/**
 * Executions at once, for the workload `crowded`. A cell of a pool runs 384 calls at once, so the pool grows to several
 * cells.
 */
const CROWDED_CONCURRENCY = 512;
/**
 * Executions at once, for the workload `failing-many`: enough that retry delays do not limit throughput, and fewer than
 * one cell's 384 calls.
 */
const FAILING_CONCURRENCY = 256;
/** Executions at once, for the workload `slow`. With fewer, the calls of one second would limit every contender. */
const SLOW_CONCURRENCY = 64;
const FAILING = "?status=503&share=0.3";

export const workloads: readonly Workload[] = [
  {
    name: "throughput",
    title: "three actions, 32 executions at once, each start with a key",
    contenders: withBare,
    smokeContenders: [workflows, ownQueue, pooledAuto],
    run: (bench) => measureClosedLoop(bench, threeActions(bench), CONCURRENCY),
  },
  {
    name: "crowded",
    title: `three actions, ${CROWDED_CONCURRENCY} executions at once: more than all cells can call at once`,
    contenders: withBare,
    smokeContenders: [],
    run: (bench) => measureClosedLoop(bench, threeActions(bench), CROWDED_CONCURRENCY),
  },
  {
    name: "single",
    title: "one action, 32 at once, each start a request with a key",
    contenders: [workflows, pooledAuto, standalone, bare],
    smokeContenders: [],
    run: (bench) => measureClosedLoop(bench, oneAction(bench, 0), CONCURRENCY),
  },
  {
    name: "batched",
    title: `one action, started by the hundred, ${BATCHES_AT_ONCE} requests at once`,
    contenders: [ownAuto, pooledAuto, standalone],
    smokeContenders: [standalone],
    run: measureBatches,
  },
  {
    name: "latency",
    title: "three actions, one execution at a time",
    contenders: withBare,
    smokeContenders: [],
    run: (bench) => measureClosedLoop(bench, threeActions(bench), 1),
  },
  {
    name: "worker",
    title: "four steps and a webhook that ends the execution, 32 executions at once",
    contenders: [webhookSteps, workerSteps],
    smokeContenders: [workerSteps],
    run: (bench) => measureClosedLoop(bench, fourSteps(bench), CONCURRENCY),
  },
  {
    name: "worker-latency",
    title: "the same, one execution at a time",
    contenders: [webhookSteps, workerSteps],
    smokeContenders: [],
    run: (bench) => measureClosedLoop(bench, fourSteps(bench), 1),
  },
  {
    name: "failing",
    title: "three in ten answers are 503; retries after 100 ms",
    contenders: [...automatic, bare],
    smokeContenders: [],
    run: (bench) => measureClosedLoop(bench, threeActions(bench, FAILING), CONCURRENCY),
  },
  {
    name: "failing-many",
    title: `the same, ${FAILING_CONCURRENCY} executions at once: enough that retry delays do not limit throughput`,
    contenders: [...automatic, bare],
    smokeContenders: [],
    run: (bench) => measureClosedLoop(bench, threeActions(bench, FAILING), FAILING_CONCURRENCY),
  },
  {
    name: "slow",
    title: "one action in twenty takes a second, 64 executions at once",
    contenders: all,
    smokeContenders: [],
    run: (bench) => measureClosedLoop(bench, threeActions(bench, "?delayMs=1000&slowShare=0.05"), SLOW_CONCURRENCY),
  },
  {
    name: "timers-alone",
    title: "timers due at one instant that lead to the end: how late each fired, as the contender reports",
    contenders: [...automatic, bare, alarms],
    smokeContenders: [pooledAuto],
    run: measureAtOneInstant,
  },
  {
    name: "timers-in-turn",
    title: "the same, each due a fixed time after its own start",
    contenders: [...automatic, bare],
    smokeContenders: [],
    run: measureInTurn,
  },
  {
    name: "timers",
    title: "timers due at one instant: how late each fired, as the contender reports, and how late its call was",
    contenders: [...automatic, bare, alarms],
    smokeContenders: [ownAuto],
    run: measureTimedCalls,
  },
  {
    name: "recurring",
    title: "recurring actions due over the seconds of one minute: how late the calls go out",
    contenders: [alarms, recurring],
    smokeContenders: [recurring],
    run: (bench) => measureCalendar(bench, { count: bench.scale.recurring, over: "minute" }, oneAction(bench, 0)),
  },
  {
    name: "same-second",
    title: "recurring actions due at the same second: how late the calls go out",
    contenders: [alarms, recurring],
    smokeContenders: [],
    run: (bench) => measureCalendar(bench, { count: sameSecondCount(bench), over: "second" }, oneAction(bench, 0)),
  },
  {
    name: "burst",
    title: "a burst of starts at once, a connection each, three actions each; a start is retried after a 503",
    contenders: all,
    smokeContenders: [pooledQueue],
    run: measureBurst,
  },
  {
    name: "crash",
    title:
      "three actions of a third of a second each, the process killed when a quarter are complete: how many are lost",
    contenders: [workflowsApart, ownApart, pooledApart],
    smokeContenders: [],
    run: measureCrash,
  },
  {
    name: "neighbour",
    title: `three actions, ${MODEST_CONCURRENCY} executions at once, beside another tenant's ${FLOOD.count} slow actions`,
    contenders: [pooledAuto, pooledQueue],
    smokeContenders: [pooledQueue],
    run: measureBesideFlood,
  },
  {
    name: "memory",
    title: "memory of executions that sleep",
    contenders: automatic,
    smokeContenders: [],
    run: measureMemory,
  },
];

function sameSecondCount({ scale }: Bench): number {
  return Math.min(scale.recurring, objectsInMemoryMax());
}
