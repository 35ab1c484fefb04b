// Reads the configurations, bundles the Workers and migrates the state folder, for prepare.ts, which says which.
import { once } from "node:events";
import { stop as stopEsbuild } from "esbuild";
import { readConfig } from "../config.ts";
import { workerOptions } from "../hosted-worker.ts";
import { migrateState } from "../migrate.ts";
import type { Preparation, Prepared, Word } from "./prepare.ts";

const [task] = (await once(process, "message")) as [Preparation]; // what prepare.ts sends
// Whoever asked has what was asked for, or is gone.
process.once("disconnect", () => process.exit());
const word = await work(task).then(
  (prepared): Word => ({ prepared }),
  (fault: unknown): Word => ({ failed: fault instanceof Error ? fault.message : String(fault) }),
);
process.send?.(word);

async function work({ hosted, root, stateDir }: Preparation): Promise<Prepared> {
  const configs = hosted.map(({ config }) => readConfig(config));
  const workers = (await Promise.all(hosted.map(workerOptions))).flat();
  await stopEsbuild();
  if (stateDir !== null) await migrateState({ root, stateDir });
  return { configs, workers };
}
