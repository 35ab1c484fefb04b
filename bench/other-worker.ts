// Comparison Workers: hosts another Worker than the engine through the same Miniflare API and settings, with its state
// on disk.
import { join } from "node:path";
import { stop as stopEsbuild } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { workerOptions } from "../scripts/hosted-worker.ts";
import { ADDRESS } from "../scripts/local/free-port.ts";
import { persistPath } from "../scripts/local/state-folder.ts";
import type { Firing, Hosted, Task } from "./contender.ts";
import { newStateDir } from "./state.ts";

export type OtherWorker = {
  /** The Worker's folder below bench/, which contains its wrangler.toml. */
  readonly folder: string;
  readonly name: string;
  readonly body: (ref: string, task: Task) => object;
};

export async function hostOther(other: OtherWorker): Promise<Hosted> {
  const { url, dispose } = await serveOther(other, { stateDir: newStateDir(), port: 0 });
  return { ...connectOther(url, other), dispose };
}

/** Prepares calls on a Worker that is already running. */
export function connectOther(url: URL, { body }: Pick<OtherWorker, "body">): Omit<Hosted, "dispose"> {
  return {
    prepare: async (task) => ({
      url,
      headers: { "Content-Type": "application/json" },
      body: (ref) => JSON.stringify(body(ref, task)),
    }),
    firings: async () => (await (await fetch(url)).json()) as readonly Firing[], // the comparison Workers return this
  };
}

type Place = { readonly stateDir: string; readonly port: number };

export async function serveOther({ folder, name }: Omit<OtherWorker, "body">, { stateDir, port }: Place) {
  const workers = await workerOptions({ config: join(import.meta.dirname, folder, "wrangler.toml"), port });
  await stopEsbuild();
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      host: ADDRESS,
      port: 0,
      cf: false,
      resourcePersistencePath: persistPath(stateDir),
      handleStructuredLogs: () => {},
      workers,
    }),
  );
  await mf.ready;
  return { url: await mf.unsafeGetDirectURL(name), dispose: () => mf.dispose() };
}
