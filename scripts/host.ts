// Local host: runs the engine and its sandbox in one workerd process through Miniflare's API, configured by the
// wrangler.toml files that also deploy them. It costs less than `wrangler dev`: no proxy, no trace collector, no
// reload.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { Cron } from "croner";
import type * as miniflare from "miniflare";
import type { WorkerConfig } from "./config.ts";
import type { HostedWorker } from "./hosted-worker.ts";
import { ROOM } from "./local/admission/admitting.ts";
import { readOpenFiles, objectsThatMayOpen } from "./local/admission/room.ts";
import { collectGarbage } from "./local/collect-garbage.ts";
import { type FolderLock, lockFolder } from "./local/folder-lock.ts";
import { ADDRESS, refuseTakenPort } from "./local/free-port.ts";
import { prepare } from "./local/prepare.ts";
import { childrenOf, type ProcessName } from "./local/processes.ts";
import { persistPath } from "./local/state-folder.ts";

export interface HostOptions {
  /** The folder of objects and D1. `wrangler … --persist-to <stateDir>` reads the same data. */
  stateDir?: string;
  /** false: all state is in a temporary folder that is deleted with the host. */
  persist?: boolean;
  /** Default: 0, which means any free port. */
  port?: number;
  sandboxPort?: number;
  /** Vars and secrets of the engine. They override wrangler.toml and .dev.vars. */
  vars?: Record<string, string>;
  extraWorkers?: HostedWorker[];
  /** Service bindings of the engine: binding → name of one of the extra Workers. */
  services?: Record<string, string>;
  /** Another main module for the engine, such as one that meters it. Default: the module that wrangler.toml names. */
  main?: string;
  /** Replaced modules of the engine: absolute path of the module → absolute path of its replacement. */
  replacements?: Record<string, string>;
  /** true: drops the Workers' console output. */
  quiet?: boolean;
  /** The folder that contains wrangler.toml, sandbox/ and migrations/. */
  root?: string;
}

export interface Host {
  engineUrl: string;
  sandboxUrl: string;
  /** The address of every hosted Worker, by its name. */
  urls: Record<string, string>;
  mf: miniflare.Miniflare;
  dispose(): Promise<void>;
}

/** How long a start waits for the ports of a killed engine. A process counts as ended before its ports are closed. */
const PORT_WAIT_AFTER_KILL_MS = 10_000;

/** The name of the sandbox in its wrangler.toml. */
const SANDBOX = "escapement-sandbox";

const PROJECT = resolve(import.meta.dirname, "..");

export async function host(options: HostOptions = {}): Promise<Host> {
  const root = resolve(options.root ?? PROJECT);
  const stateDir = resolve(root, options.stateDir ?? ".state");
  const lock = options.persist === false ? null : await lockFolder(stateDir);
  try {
    return await hostOn({ ...options, root, stateDir }, lock);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

type LocatedOptions = HostOptions & { readonly root: string; readonly stateDir: string };

/** Hosts on a locked state folder. Without a lock the host uses a temporary folder. */
async function hostOn(options: LocatedOptions, lock: FolderLock | null): Promise<Host> {
  const { root, stateDir } = options;
  const hosted = hostedWorkers(options);
  await refuseTakenPorts(hosted, lock?.isAfterKill ? PORT_WAIT_AFTER_KILL_MS : 0);
  const preparing = prepare({ hosted, root, stateDir: lock === null ? null : stateDir });
  const { convertV4MiniflareOptions, Miniflare, Response } = loadMiniflare();
  const { configs, workers } = await preparing;
  const [engine, ...others] = workers;
  if (engine === undefined) throw new Error("the preparation returned no Worker");

  let runtime: readonly ProcessName[] = [];
  const earlierChildren = new Set(childrenOf(process.pid).map(({ pid }) => pid));
  const answerPermits = (request: { readonly url: string }) => {
    const pending = Number(new URL(request.url).pathname.slice(1));
    return new Response(String(objectsThatMayOpen(readOpenFiles(runtime[0]?.pid ?? 0), pending)));
  };
  const gatedEngine = {
    ...engine,
    serviceBindings: { ...engine.serviceBindings, ...options.services, [ROOM]: answerPermits },
  };
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      // The main socket is Miniflare's router. Each Worker has its own socket, which saves that hop.
      host: ADDRESS,
      port: 0,
      // Otherwise Miniflare downloads a sample of request.cf.
      cf: false,
      ...(lock !== null ? { resourcePersistencePath: persistPath(stateDir) } : {}),
      ...(options.quiet ? { handleStructuredLogs: () => {} } : {}),
      workers: [gatedEngine, ...others],
    }),
  );
  await mf.ready.catch(async (error: unknown) => {
    // Preparation takes seconds, and another process may have taken a port meanwhile.
    await refuseTakenPorts(hosted);
    throw error;
  });
  runtime = childrenOf(process.pid).filter(({ pid }) => !earlierChildren.has(pid));
  if (lock === null) {
    const { migrateDatabase } = await import("./migrate.ts");
    await migrateDatabase(root, await mf.getD1Database("DB", configs[0]?.name));
  }
  const stopCrons = startCrons(mf, configs);
  const dispose = async () => {
    stopCrons();
    await mf.dispose();
    lock?.release();
  };
  const urls = await addressesOf(mf, configs);
  const [engineUrl = "", sandboxUrl = ""] = Object.values(urls);
  lock?.storeAddress(engineUrl, runtime);
  collectGarbage();
  return { engineUrl, sandboxUrl, urls, mf, dispose };
}

/** Lists the Workers to host: first the engine, then its sandbox, then the additional ones. */
function hostedWorkers(options: LocatedOptions): readonly HostedWorker[] {
  const { root, vars = {}, port = 0, sandboxPort = 0, main, replacements, extraWorkers = [] } = options;
  const engine: HostedWorker = {
    config: join(root, "wrangler.toml"),
    port,
    vars,
    isEngine: true,
    ...(sandboxPort === 0 ? {} : { sandbox: { name: SANDBOX, port: sandboxPort } }),
    ...(main === undefined ? {} : { main }),
    ...(replacements === undefined ? {} : { replacements }),
  };
  const sandbox: HostedWorker = { config: join(root, "sandbox", "wrangler.toml"), port: sandboxPort };
  return [engine, sandbox, ...extraWorkers];
}

async function addressesOf(mf: miniflare.Miniflare, configs: readonly WorkerConfig[]): Promise<Record<string, string>> {
  const urls: Record<string, string> = {};
  for (const { name } of configs) urls[name] = (await mf.unsafeGetDirectURL(name)).origin;
  return urls;
}

async function refuseTakenPorts(hosted: readonly HostedWorker[], waitMs = 0): Promise<void> {
  await Promise.all(hosted.map((worker) => refuseTakenPort(worker.port ?? 0, ADDRESS, waitMs)));
}

/**
 * Loads Miniflare with `require`. Node keeps the source text of imported CommonJS modules in memory, here about fifteen
 * megabytes.
 */
function loadMiniflare(): typeof miniflare {
  // `require` is untyped; this is the module's type
  return createRequire(import.meta.url)("miniflare") as typeof miniflare;
}

/** Starts a timer for each cron trigger, because Miniflare does not fire them. */
function startCrons(mf: miniflare.Miniflare, configs: WorkerConfig[]): () => void {
  const fire = async (name: string, cron: string) => {
    const worker = await mf.getWorker(name);
    await worker.scheduled({ cron, scheduledTime: new Date() });
  };
  const jobs = configs.flatMap(({ name, crons }) =>
    crons.map((cron) => {
      const report = (error: unknown) => console.error(`cron ${cron} of ${name}:`, error);
      return new Cron(cron, { timezone: "UTC", unref: true, catch: report }, () => fire(name, cron));
    }),
  );
  return () => jobs.forEach((job) => job.stop());
}
