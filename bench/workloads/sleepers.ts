// What it does beside very many that sleep: the same work, with more and more of them in the same cells; what each of
// them holds in memory; and after a crash, how long the first start takes that comes to one of those cells.
import { clock } from "../clock.ts";
import { contenders } from "../contender.ts";
import { closedLoop, newRef, openClient, pause, type Client } from "../drive.ts";
import { usage } from "../meter.ts";
import type { Bench, Row } from "../row.ts";
import type { Scale } from "../scale.ts";
import type { Sink } from "../sink.ts";
import { BATCH, BATCHES, steadily } from "./steady.ts";
import { sleeping, task } from "./work.ts";

export const SLEEPERS = {
  name: "sleepers",
  title: "three actions, 32 executions at once, beside others that sleep in the same cells",
};
const CONCURRENCY = 32;
const MONTH_MS = 30 * 86_400_000;
const SETTLES_MS = 3_000;

export async function measureSleepers(counts: readonly number[], sink: Sink, scale: Scale): Promise<Row[]> {
  const hosted = await contenders.pooledApart.host();
  const bench: Bench = { hosted, sink, scale };
  const awake = openClient(await hosted.prepare(task(bench)), CONCURRENCY);
  const asleep = openClient(await hosted.prepare(sleeping(bench, MONTH_MS)), BATCHES, { insists: true });
  const rows: Row[] = [];
  try {
    const drive = (ms: number) => closedLoop(awake, sink, CONCURRENCY, ms);
    await drive(scale.warmUpMs);
    const empty = usage()?.residentBytes ?? null;
    let have = 0;
    for (const count of counts) {
      const failedStarts = await fill(asleep, count - have);
      have = Math.max(have, count);
      await pause(SETTLES_MS);
      const now = usage()?.residentBytes ?? null;
      const kibibytes = empty === null || now === null || count === 0 ? null : (now - empty) / count / 1_024;
      const measured = await steadily(bench, drive);
      const { repeats } = await sink.tally();
      const failed = {
        failedStarts: measured.failedStarts + failedStarts,
        failure: asleep.failure() ?? measured.failure,
      };
      rows.push({ workload: SLEEPERS.name, contender: `${count} asleep`, ...measured, ...failed, kibibytes, repeats });
    }
    await hosted.crash?.();
    const from = clock();
    const isStarted = await awake.start(newRef());
    const last = rows.at(-1);
    if (last !== undefined) rows[rows.length - 1] = { ...last, firstAnswerMs: isStarted ? clock() - from : null };
    return rows;
  } finally {
    for (const client of [awake, asleep]) client.close();
    await hosted.dispose();
  }
}

/** How many were refused. */
async function fill(client: Client, count: number): Promise<number> {
  let [left, refused] = [count, 0];
  const one = async (): Promise<void> => {
    while (left > 0) {
      const size = Math.min(BATCH, left);
      left -= size;
      if (!(await client.startMany(Array.from({ length: size }, newRef)))) refused += size;
    }
  };
  await Promise.all(Array.from({ length: BATCHES }, one));
  return refused;
}
