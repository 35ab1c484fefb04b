// Sleepers workload: measures the same load in cells with more and more sleeping executions, the memory of the process,
// and the first seconds after a crash. All folders are measured in turn, so that other load on the machine affects all
// of them alike.
import { POOL_WINDOW_MS } from "#schema/limits/pool-cells.ts";
import type { EngineProcess } from "../../test/crash/life.ts";
import { clock } from "../clock.ts";
import { runClosedLoop, newRef, openClient, pause, type Client } from "../drive.ts";
import { mediansOf } from "../medians.ts";
import { percentile, readUsage } from "../meter.ts";
import type { Measurement, Row } from "../row.ts";
import type { Scale } from "../scale.ts";
import type { Sink } from "../sink.ts";
import { measureSteady } from "../workloads/steady.ts";
import { startEngineIn, prepareFolders, type Folder } from "./folders.ts";
import { largestPoolSize } from "./stored.ts";

export const SLEEPERS = {
  name: "sleepers",
  title: "three actions, 32 executions at once, beside others that sleep in the same cell",
};
const CONCURRENCY = 32;
/**
 * A pool grows if a cell is overloaded for a whole window. Each measurement ends before its window does, and the pause
 * after it is long enough that the cell counts as idle. Otherwise the measured cells would differ in number.
 */
const WARM_UP_MS = 500;
const MEASURED_MS = POOL_WINDOW_MS - 2 * WARM_UP_MS;
const QUIET_MS = 2 * POOL_WINDOW_MS;

type MeasuredCell = {
  readonly folder: Folder;
  readonly life: EngineProcess;
  readonly client: Client;
  readonly first: Pick<Row, "firstAnswerMs" | "firstP99">;
  readonly found: Measurement[];
  quietAt: number;
};

export type SleepersScale = {
  readonly counts: readonly number[];
  readonly rounds: number;
  readonly tell: (line: string) => void;
};

export async function measureSleepers(
  sink: Sink,
  scale: Scale,
  { counts, rounds, tell }: SleepersScale,
): Promise<Row[]> {
  const beds: MeasuredCell[] = [];
  try {
    for (const folder of await prepareFolders(sink, counts, tell)) beds.push(await startCell(folder, sink, tell));
    for (let round = 1; round <= rounds; round++) {
      tell(`round ${round} of ${rounds}`);
      for (const bed of beds) bed.found.push(await measureRound(bed, sink, scale));
    }
    const rows = beds.map(rowOf);
    for (const { life, client } of beds.splice(0)) {
      client.close();
      await life.kill();
    }
    return rows;
  } finally {
    for (const { life } of beds) await life.kill();
  }
}

/** Starts the engine on a folder after a crash, and measures the first answer and the first seconds. */
async function startCell(folder: Folder, sink: Sink, tell: (line: string) => void): Promise<MeasuredCell> {
  const { life, call } = await startEngineIn(folder);
  const client = openClient(call, CONCURRENCY);
  const from = clock();
  const isStarted = await client.start(newRef());
  const firstAnswerMs = isStarted ? clock() - from : null;
  const { latencies } = await runClosedLoop(client, sink, CONCURRENCY, MEASURED_MS);
  tell(`beside ${folder.count}: first answer after ${firstAnswerMs?.toFixed(0)} ms`);
  const first = { firstAnswerMs, firstP99: percentile(latencies, 0.99) };
  return { folder, life, client, first, found: [], quietAt: clock() + QUIET_MS };
}

async function measureRound(bed: MeasuredCell, sink: Sink, scale: Scale): Promise<Measurement> {
  const { life, client } = bed;
  await pause(Math.max(0, bed.quietAt - clock()));
  const drive = (ms: number) => runClosedLoop(client, sink, CONCURRENCY, ms);
  const seconds = Math.min(scale.seconds, MEASURED_MS / 1_000);
  const measured = await measureSteady({ sink, scale: { seconds, warmUpMs: WARM_UP_MS } }, drive, life.pid);
  bed.quietAt = clock() + QUIET_MS;
  const residentBytes = readUsage(life.pid)?.residentBytes;
  return { ...measured, residentMb: residentBytes === undefined ? null : residentBytes / 2 ** 20 };
}

function rowOf({ folder, first, found, client }: MeasuredCell): Row {
  const row = mediansOf(
    found.map((each) => ({ workload: SLEEPERS.name, contender: `${folder.count} asleep`, repeats: 0, ...each })),
  );
  return { ...row, ...first, cells: largestPoolSize(folder.stateDir), failure: client.failure() };
}
