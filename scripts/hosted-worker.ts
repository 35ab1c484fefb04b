// Hosted Worker: converts a wrangler.toml to Miniflare's options for a Worker: bindings, bundle and port.
import { basename, dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import type { V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { readConfig } from "./config.ts";
import { ADDRESS } from "./local/free-port.ts";
import { withLocalQueues } from "./local/queues/bindings.ts";
import { NETWORK_BINDING, networkService, sandboxBindings } from "./local/straight-out.ts";

export interface HostedWorker {
  /** The path of the Worker's wrangler.toml. */
  config: string;
  /** Default: 0, which means any free port. */
  port?: number;
  /** The path of another main module. Default: the module that wrangler.toml names. */
  main?: string;
  /**
   * Replaced modules: absolute path of the module → absolute path of its replacement. A drill replaces limits this way.
   */
  replacements?: Record<string, string>;
  /** true for the engine: calls from outside wait while the runtime has too few free files, and queues are durable. */
  isEngine?: boolean;
  /** The sandbox that this Worker calls without a connection, if its port is known before the start. */
  sandbox?: { name: string; port: number };
  /** Additional vars. They override those of wrangler.toml and of the .dev.vars beside it. */
  vars?: Record<string, string>;
}

// Otherwise wrangler prints a line for each .dev.vars that it reads.
process.env.WRANGLER_LOG ??= "warn";

export async function workerOptions(worker: HostedWorker): Promise<V4WorkerOptions[]> {
  const { path, name, keepNames } = readConfig(worker.config);
  const { workerOptions: options, main, define, externalWorkers } = unstable_getMiniflareWorkerOptions(path);
  if (main === undefined) throw new Error(`${path} names no main module`);
  const { modulesRules: _, ...deployed } = options;
  const bindings = worker.isEngine ? withLocalQueues(deployed, name) : deployed;
  const root = dirname(path);
  const sandbox =
    worker.sandbox === undefined
      ? { bindings: {}, serviceBindings: {} }
      : sandboxBindings(worker.sandbox.name, worker.sandbox.port);
  return [
    {
      ...bindings,
      name,
      bindings: Object.assign({}, bindings.bindings, worker.vars, sandbox.bindings),
      serviceBindings: Object.assign({}, bindings.serviceBindings, sandbox.serviceBindings, {
        [NETWORK_BINDING]: networkService,
      }),
      modulesRoot: root,
      modules: [
        {
          type: "ESModule",
          path: join(root, "worker.js"),
          contents: await bundle(entryModule(worker.main ?? main, worker.isEngine ?? false), root, {
            define,
            keepNames,
            replacements: worker.replacements ?? {},
          }),
        },
      ],
      unsafeDirectSockets: [{ host: ADDRESS, port: worker.port ?? 0 }],
    },
    ...externalWorkers,
  ];
}

/**
 * Writes the entry module: the Worker's main module with direct plain-HTTP calls. The engine's entry also has durable
 * queues and the admission gate.
 */
function entryModule(main: string, isEngine: boolean): string {
  const [worker, gate, wayOut] = [main, localPath("admission", "admitting.ts"), localPath("straight-out.ts")].map(
    (path) => JSON.stringify(path),
  );
  const queues = (file: string): string => JSON.stringify(localPath("queues", "worker", file));
  return [
    `import { env } from "cloudflare:workers";`,
    `import { sendHttpDirectly } from ${wayOut};`,
    `import worker from ${worker};`,
    `export * from ${worker};`,
    "sendHttpDirectly(globalThis, env);",
    ...(isEngine
      ? [
          `import { withAdmissionGate } from ${gate};`,
          `import { queueConsumerFor } from ${queues("consumer.ts")};`,
          `export { QueueDoor } from ${queues("door.ts")};`,
          `export { LocalQueue } from ${queues("queue.ts")};`,
          "export const QueueConsumer = queueConsumerFor(worker);",
          "export default withAdmissionGate(worker);",
        ]
      : ["export default worker;"]),
  ].join("\n");
}

function localPath(...path: readonly string[]): string {
  return join(import.meta.dirname, "local", ...path);
}

interface Bundling {
  define: Record<string, string>;
  keepNames: boolean;
  replacements: Record<string, string>;
}

/**
 * Bundles with wrangler's settings, so that the local code equals the deployed code except for whitespace and comments.
 */
async function bundle(entry: string, root: string, { define, keepNames, replacements }: Bundling): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: root, loader: "ts" },
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    keepNames,
    // Comments are a third of the bundle, and the host and the runtime keep several copies of it.
    minifyWhitespace: true,
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    loader: { ".sql": "text", ".html": "text", ".txt": "text" },
    define: { "process.env.NODE_ENV": '"production"', ...define },
    logLevel: "error",
    plugins: Object.keys(replacements).length === 0 ? [] : [replaceModules(replacements)],
  });
  const [bundled] = outputFiles;
  if (bundled === undefined) throw new Error(`bundling gave nothing of ${entry}`);
  return bundled.text;
}

/**
 * Resolves a module's imports to its replacement. The replacement itself can still import the original, to export the
 * rest of it.
 */
function replaceModules(replacements: Record<string, string>): Plugin {
  const isOwnQuestion = Symbol("asked by this very plugin");
  // The filter matches file names, because resolving every import would take seconds.
  const filter = new RegExp(`(${Object.keys(replacements).map(fileNamePattern).join("|")})$`);
  return {
    name: "standing-in",
    setup: ({ onResolve, resolve }) =>
      onResolve({ filter }, async ({ path, pluginData, importer, resolveDir, kind }) => {
        if (pluginData === isOwnQuestion) return null;
        const replacement =
          replacements[(await resolve(path, { importer, resolveDir, kind, pluginData: isOwnQuestion })).path];
        return replacement === undefined || replacement === importer ? null : { path: replacement };
      }),
  };
}

function fileNamePattern(path: string): string {
  return basename(path).replaceAll(".", "\\.");
}
