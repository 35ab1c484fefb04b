// Cloudflare Workflows, hosted by the same Miniflare API with the same settings: state on disk, no proxy before it.
import { join } from "node:path";
import { stop as stopEsbuild } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { ADDRESS, workerOptions } from "../scripts/hosted-worker.ts";
import { persistPath } from "../scripts/migrate.ts";
import type { Hosted } from "./contender.ts";
import { newStateDir } from "./state.ts";

const CONFIG = join(import.meta.dirname, "workflows", "wrangler.toml");
const NAME = "bench-workflows";

export async function hostWorkflows(): Promise<Hosted> {
  const workers = await workerOptions({ config: CONFIG });
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
  const url = await mf.unsafeGetDirectURL(NAME);
  return {
    prepare: async (task) => ({
      url,
      headers: { "Content-Type": "application/json" },
      body: (ref) => JSON.stringify({ ref, ...task }),
    }),
    dispose: () => mf.dispose(),
  };
}
