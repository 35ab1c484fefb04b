// Preparation process: reads the configurations, bundles the Workers and migrates the state folder, as prepare.ts
// requests.
import { once } from "node:events";
import { stop as stopEsbuild } from "esbuild";
import { readConfig } from "../config.ts";
import { workerOptions } from "../hosted-worker.ts";
import { migrateState } from "../migrate.ts";
import type { Preparation, Prepared, PreparationResult } from "./prepare.ts";

const [task] = (await once(process, "message")) as [Preparation]; // prepare.ts sends it
// prepare.ts disconnects when it has the result; otherwise it has ended.
process.once("disconnect", () => process.exit());
const word = await work(task).then(
  (prepared): PreparationResult => ({ prepared }),
  (fault: unknown): PreparationResult => ({ failed: fault instanceof Error ? fault.message : String(fault) }),
);
process.send?.(word);

async function work({ hosted, root, stateDir }: Preparation): Promise<Prepared> {
  const configs = hosted.map(({ config }) => readConfig(config));
  const workers = (await Promise.all(hosted.map(workerOptions))).flat();
  await stopEsbuild();
  if (stateDir !== null) await migrateState({ root, stateDir });
  return { configs, workers };
}
