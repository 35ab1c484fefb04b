// Turns a wrangler.toml into what Miniflare wants to know of a Worker: its bindings, its bundle, its port.
import { basename, dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import type { V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { readConfig } from "./config.ts";
import { ADDRESS } from "./local/free-port.ts";
import { withLocalQueues } from "./local/queues/bindings.ts";
import { OUTSIDE, outside } from "./local/straight-out.ts";

export interface HostedWorker {
  /** The Worker's wrangler.toml. */
  config: string;
  /** 0 (the default) takes any free port. */
  port?: number;
  /** Another main module than the configuration names. */
  main?: string;
  /** Modules that others stand in for, both by their absolute paths: a drill's limits, for one. */
  instead?: Record<string, string>;
  /** The engine: what comes from outside waits where the runtime's files do not suffice, and its queues are durable. */
  admits?: boolean;
  /** Added to, and winning over, the vars of wrangler.toml and of the .dev.vars beside it. */
  vars?: Record<string, string>;
}

// Otherwise wrangler announces each .dev.vars it reads.
process.env.WRANGLER_LOG ??= "warn";

export async function workerOptions(worker: HostedWorker): Promise<V4WorkerOptions[]> {
  const { path, name, keepNames } = readConfig(worker.config);
  const { workerOptions: options, main, define, externalWorkers } = unstable_getMiniflareWorkerOptions(path);
  if (main === undefined) throw new Error(`${path} names no main module`);
  const { modulesRules: _, ...deployed } = options;
  const bindings = worker.admits ? withLocalQueues(deployed, name) : deployed;
  const root = dirname(path);
  return [
    {
      ...bindings,
      name,
      bindings: Object.assign({}, bindings.bindings, worker.vars),
      serviceBindings: Object.assign({}, bindings.serviceBindings, { [OUTSIDE]: outside }),
      modulesRoot: root,
      modules: [
        {
          type: "ESModule",
          path: join(root, "worker.js"),
          contents: await bundle(entryOf(worker.main ?? main, worker.admits ?? false), root, {
            define,
            keepNames,
            instead: worker.instead ?? {},
          }),
        },
      ],
      unsafeDirectSockets: [{ host: ADDRESS, port: worker.port ?? 0 }],
    },
    ...externalWorkers,
  ];
}

/**
 * The Worker's main module with a shorter way out; the engine's with durable queues as well, and with a gate before it that lets
 * in what there is room for.
 */
function entryOf(main: string, admits: boolean): string {
  const [worker, gate, wayOut] = [main, local("admission", "admitting.ts"), local("straight-out.ts")].map((path) =>
    JSON.stringify(path),
  );
  const queues = (file: string): string => JSON.stringify(local("queues", "worker", file));
  return [
    `import { env } from "cloudflare:workers";`,
    `import { goStraightOut } from ${wayOut};`,
    `import worker from ${worker};`,
    `export * from ${worker};`,
    "goStraightOut(globalThis, env);",
    ...(admits
      ? [
          `import { admitting } from ${gate};`,
          `import { consuming } from ${queues("consumer.ts")};`,
          `export { QueueDoor } from ${queues("door.ts")};`,
          `export { LocalQueue } from ${queues("queue.ts")};`,
          "export const QueueConsumer = consuming(worker);",
          "export default admitting(worker);",
        ]
      : ["export default worker;"]),
  ].join("\n");
}

function local(...path: readonly string[]): string {
  return join(import.meta.dirname, "local", ...path);
}

interface Bundling {
  define: Record<string, string>;
  keepNames: boolean;
  instead: Record<string, string>;
}

/** The settings are wrangler's own, so that what runs here is what deploys, but for the comments. */
async function bundle(entry: string, root: string, { define, keepNames, instead }: Bundling): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: root, loader: "ts" },
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    keepNames,
    // Comments alone are a third of it, and several copies are kept by what hosts and by what runs it.
    minifyWhitespace: true,
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    loader: { ".sql": "text", ".html": "text", ".txt": "text" },
    define: { "process.env.NODE_ENV": '"production"', ...define },
    logLevel: "error",
    plugins: Object.keys(instead).length === 0 ? [] : [standingIn(instead)],
  });
  const [bundled] = outputFiles;
  if (bundled === undefined) throw new Error(`bundling gave nothing of ${entry}`);
  return bundled.text;
}

/** What stands in for a module may go on exporting what that one does: to it alone the real one is given. */
function standingIn(instead: Record<string, string>): Plugin {
  const asked = Symbol("asked by this very plugin");
  // Asking where each import leads takes seconds.
  const filter = new RegExp(`(${Object.keys(instead).map(endOf).join("|")})$`);
  return {
    name: "standing-in",
    setup: ({ onResolve, resolve }) =>
      onResolve({ filter }, async ({ path, pluginData, importer, resolveDir, kind }) => {
        if (pluginData === asked) return null;
        const other = instead[(await resolve(path, { importer, resolveDir, kind, pluginData: asked })).path];
        return other === undefined || other === importer ? null : { path: other };
      }),
  };
}

function endOf(path: string): string {
  return basename(path).replaceAll(".", "\\.");
}
