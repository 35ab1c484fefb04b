// Hosts the engine and its sandbox in one workerd process through Miniflare's API, configured from the same
// wrangler.toml files that deploy them. Cheaper than `wrangler dev`: no proxy, no trace collector, no reload.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { Cron } from "croner";
import type * as miniflare from "miniflare";
import type { WorkerConfig } from "./config.ts";
import type { HostedWorker } from "./hosted-worker.ts";
import { ROOM } from "./local/admission/admitting.ts";
import { filesOf, roomIn } from "./local/admission/room.ts";
import { collectGarbage } from "./local/collect-garbage.ts";
import { type FolderLock, lockFolder } from "./local/folder-lock.ts";
import { ADDRESS, refuseTakenPort } from "./local/free-port.ts";
import { prepare } from "./local/prepare.ts";
import { childrenOf, type ProcessName } from "./local/processes.ts";
import { persistPath } from "./local/state-folder.ts";

export interface HostOptions {
  /** Where objects and D1 live between starts; `wrangler … --persist-to <stateDir>` sees the same data. */
  stateDir?: string;
  /** false keeps everything in a temporary folder that goes with the host. */
  persist?: boolean;
  /** 0 (the default) takes any free port. */
  port?: number;
  sandboxPort?: number;
  /** Vars and secrets of the engine; they win over wrangler.toml and .dev.vars. */
  vars?: Record<string, string>;
  extraWorkers?: HostedWorker[];
  /** The engine's main module, where it is to be another one: what measures it wraps it. */
  main?: string;
  /** Modules of the engine that others stand in for, both by their absolute paths. */
  instead?: Record<string, string>;
  /** true drops what the Workers write to the console. */
  quiet?: boolean;
  /** The folder with wrangler.toml, sandbox/ and migrations/. */
  root?: string;
}

export interface Host {
  engineUrl: string;
  sandboxUrl: string;
  /** Every hosted Worker by its name, extra ones included. */
  urls: Record<string, string>;
  mf: miniflare.Miniflare;
  dispose(): Promise<void>;
}

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

/** On a folder that is this process's alone; without a lock on one that goes with it. */
async function hostOn(
  options: HostOptions & { readonly root: string; readonly stateDir: string },
  lock: FolderLock | null,
): Promise<Host> {
  const { root, stateDir } = options;
  const hosted: HostedWorker[] = [
    {
      config: join(root, "wrangler.toml"),
      port: options.port ?? 0,
      vars: options.vars ?? {},
      admits: true,
      ...(options.main === undefined ? {} : { main: options.main }),
      ...(options.instead === undefined ? {} : { instead: options.instead }),
    },
    { config: join(root, "sandbox", "wrangler.toml"), port: options.sandboxPort ?? 0 },
    ...(options.extraWorkers ?? []),
  ];
  await refuseTakenPorts(hosted);
  const preparing = prepare({ hosted, root, stateDir: lock === null ? null : stateDir });
  const { convertV4MiniflareOptions, Miniflare, Response } = loadMiniflare();
  const { configs, workers } = await preparing;

  let runtime: readonly ProcessName[] = [];
  const others = new Set(childrenOf(process.pid).map(({ pid }) => pid));
  const room = (asked: { readonly url: string }) => {
    const pending = Number(new URL(asked.url).pathname.slice(1));
    return new Response(String(roomIn(filesOf(runtime[0]?.pid ?? 0), pending)));
  };
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      // The main socket is Miniflare's router; each Worker listens on a socket of its own, which is a hop less.
      host: ADDRESS,
      port: 0,
      // Without this Miniflare asks the network for a sample of request.cf.
      cf: false,
      ...(lock !== null ? { resourcePersistencePath: persistPath(stateDir) } : {}),
      ...(options.quiet ? { handleStructuredLogs: () => {} } : {}),
      workers: workers.map((worker, at) =>
        at === 0 ? { ...worker, serviceBindings: { ...worker.serviceBindings, [ROOM]: room } } : worker,
      ),
    }),
  );
  await mf.ready.catch(async (error: unknown) => {
    // Preparing took seconds; somebody may have taken a port by now.
    await refuseTakenPorts(hosted);
    throw error;
  });
  runtime = childrenOf(process.pid).filter(({ pid }) => !others.has(pid));
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
  const urls: Record<string, string> = {};
  for (const { name } of configs) urls[name] = (await mf.unsafeGetDirectURL(name)).origin;
  const [engineUrl = "", sandboxUrl = ""] = Object.values(urls);
  lock?.listensAt(engineUrl, runtime);
  collectGarbage();
  return { engineUrl, sandboxUrl, urls, mf, dispose };
}

async function refuseTakenPorts(hosted: readonly HostedWorker[]): Promise<void> {
  await Promise.all(hosted.map((worker) => refuseTakenPort(worker.port ?? 0, ADDRESS)));
}

/** Of a CommonJS module that is imported, Node keeps the text beside the module for good: here some fifteen megabytes. */
function loadMiniflare(): typeof miniflare {
  // `require` is untyped; this is the module's own type.
  return createRequire(import.meta.url)("miniflare") as typeof miniflare;
}

/** Miniflare never fires a cron trigger by itself. */
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
