// Workloads: the list of measurements. Each runs for each of its contenders on a fresh host and returns one row.
import { contenders } from "./contender.ts";
import type { Bench, Workload } from "./row.ts";
import { memory } from "./workloads/asleep.ts";
import { bursting } from "./workloads/bursting.ts";
import { atOnceMax, calendar } from "./workloads/calendar.ts";
import { crashing } from "./workloads/crashing.ts";
import { atOnce, inTurn } from "./workloads/firings.ts";
import { besideFlood, FLOOD, MODEST_CONCURRENCY } from "./workloads/neighbour.ts";
import { batched, BATCHES, closed } from "./workloads/steady.ts";
import { timers } from "./workloads/timers.ts";
import { sleeping, task } from "./workloads/work.ts";

const { workflows, ownAuto, ownQueue, pooledAuto, pooledQueue, standalone, recurring, alarms, bare } = contenders;
const { workflowsApart, ownApart, pooledApart } = contenders;
const all = [workflows, ownAuto, ownQueue, pooledAuto, pooledQueue];
const automatic = [workflows, ownAuto, pooledAuto];
/** All contenders and the bare object, which marks the upper limit. */
const withBare = [...all, bare];

const CONCURRENCY = 32;
/**
 * Executions at once, for the workload `crowded`. A cell of a pool runs 384 calls at once, so the pool grows to several
 * cells.
 */
const CROWD = 512;
/**
 * Executions at once, for the workload `failing-many`: enough that retry delays do not limit throughput, and fewer than
 * one cell's 384 calls.
 */
const FAILING_CROWD = 256;
/** Executions at once, for the workload `slow`. With fewer, the calls of one second would limit every contender. */
const SLOW_CONCURRENCY = 64;
const FAILING = "?status=503&share=0.3";

export const workloads: readonly Workload[] = [
  {
    name: "throughput",
    title: "three actions, 32 executions at once, each start with a key",
    contenders: withBare,
    inQuick: [workflows, ownQueue, pooledAuto],
    run: (bench) => closed(bench, task(bench), CONCURRENCY),
  },
  {
    name: "crowded",
    title: `three actions, ${CROWD} executions at once: more than all cells together have flights for`,
    contenders: withBare,
    inQuick: [],
    run: (bench) => closed(bench, task(bench), CROWD),
  },
  {
    name: "single",
    title: "one action, 32 at once, each start a request with a key",
    contenders: [workflows, pooledAuto, standalone, bare],
    inQuick: [],
    run: (bench) => closed(bench, sleeping(bench, 0), CONCURRENCY),
  },
  {
    name: "batched",
    title: `one action, started by the hundred, ${BATCHES} requests at once`,
    contenders: [ownAuto, pooledAuto, standalone],
    inQuick: [standalone],
    run: batched,
  },
  {
    name: "latency",
    title: "three actions, one execution at a time",
    contenders: withBare,
    inQuick: [],
    run: (bench) => closed(bench, task(bench), 1),
  },
  {
    name: "failing",
    title: "three in ten answers are 503; retries after 100 ms",
    contenders: [...automatic, bare],
    inQuick: [],
    run: (bench) => closed(bench, task(bench, FAILING), CONCURRENCY),
  },
  {
    name: "failing-many",
    title: `the same, ${FAILING_CROWD} executions at once: more than the waits between tries can bound`,
    contenders: [...automatic, bare],
    inQuick: [],
    run: (bench) => closed(bench, task(bench, FAILING), FAILING_CROWD),
  },
  {
    name: "slow",
    title: "one action in twenty takes a second, 64 executions at once",
    contenders: all,
    inQuick: [],
    run: (bench) => closed(bench, task(bench, "?delayMs=1000&slowShare=0.05"), SLOW_CONCURRENCY),
  },
  {
    name: "timers-alone",
    title: "timers due at one instant that lead to the end: how late each fired, by its owner's word",
    contenders: [...automatic, bare, alarms],
    inQuick: [pooledAuto],
    run: atOnce,
  },
  {
    name: "timers-in-turn",
    title: "the same, each so long after its own start",
    contenders: [...automatic, bare],
    inQuick: [],
    run: inTurn,
  },
  {
    name: "timers",
    title: "timers due at one instant: how late each fired, by its owner's word, and how late its call went out",
    contenders: [...automatic, bare, alarms],
    inQuick: [ownAuto],
    run: timers,
  },
  {
    name: "recurring",
    title: "recurring actions due over the seconds of one minute: how late the calls go out",
    contenders: [alarms, recurring],
    inQuick: [recurring],
    run: (bench) => calendar(bench, { count: bench.scale.recurring, over: "minute" }, sleeping(bench, 0)),
  },
  {
    name: "same-second",
    title: "recurring actions due at the same second: how late the calls go out",
    contenders: [alarms, recurring],
    inQuick: [],
    run: (bench) => calendar(bench, { count: mostAtOnce(bench), over: "second" }, sleeping(bench, 0)),
  },
  {
    name: "burst",
    title: "a burst of starts at once, a connection each, three actions each; who is told to come again does",
    contenders: all,
    inQuick: [pooledQueue],
    run: bursting,
  },
  {
    name: "crash",
    title: "three actions of a third of a second each, the process killed when a quarter are through: what is lost",
    contenders: [workflowsApart, ownApart, pooledApart],
    inQuick: [],
    run: crashing,
  },
  {
    name: "neighbour",
    title: `three actions, ${MODEST_CONCURRENCY} executions at once, beside another tenant's ${FLOOD.count} slow actions`,
    contenders: [pooledAuto, pooledQueue],
    inQuick: [pooledQueue],
    run: besideFlood,
  },
  { name: "memory", title: "memory of executions that sleep", contenders: automatic, inQuick: [], run: memory },
];

function mostAtOnce({ scale }: Bench): number {
  return Math.min(scale.recurring, atOnceMax());
}
