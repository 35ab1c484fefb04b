// Another Worker than the engine, hosted by the same Miniflare API with the same settings: state on disk, no proxy before it.
import { join } from "node:path";
import { stop as stopEsbuild } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { workerOptions } from "../scripts/hosted-worker.ts";
import { ADDRESS } from "../scripts/local/free-port.ts";
import { persistPath } from "../scripts/local/state-folder.ts";
import type { Hosted, Task } from "./contender.ts";
import { newStateDir } from "./state.ts";

export type OtherWorker = {
  /** Its folder here, with a wrangler.toml. */
  readonly folder: string;
  readonly name: string;
  readonly body: (ref: string, task: Task) => object;
};

export async function hostOther({ folder, name, body }: OtherWorker): Promise<Hosted> {
  const workers = await workerOptions({ config: join(import.meta.dirname, folder, "wrangler.toml") });
  await stopEsbuild();
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      host: ADDRESS,
      port: 0,
      cf: false,
      resourcePersistencePath: persistPath(newStateDir()),
      handleStructuredLogs: () => {},
      workers,
    }),
  );
  await mf.ready;
  const url = await mf.unsafeGetDirectURL(name);
  return {
    prepare: async (task) => ({
      url,
      headers: { "Content-Type": "application/json" },
      body: (ref) => JSON.stringify(body(ref, task)),
    }),
    dispose: () => mf.dispose(),
  };
}
