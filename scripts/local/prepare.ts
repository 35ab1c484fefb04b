// What comes before hosting happens in a process of its own: wrangler and esbuild take hundreds of megabytes to read a
// configuration and to bundle a Worker, and nobody needs them afterwards. They go with their process.
import { fork } from "node:child_process";
import { once } from "node:events";
import type { V4WorkerOptions } from "miniflare";
import type { WorkerConfig } from "../config.ts";
import type { HostedWorker } from "../hosted-worker.ts";

export interface Preparation {
  hosted: readonly HostedWorker[];
  root: string;
  /** Is migrated; null: there is none yet. */
  stateDir: string | null;
}

export interface Prepared {
  configs: WorkerConfig[];
  workers: readonly V4WorkerOptions[];
}

/** What the other process says in the end. */
export type Word = { readonly prepared: Prepared } | { readonly failed: string };

export async function prepare(task: Preparation): Promise<Prepared> {
  const execArgv = ["--disable-warning=ExperimentalWarning"];
  const apart = fork(new URL("./prepare-apart.ts", import.meta.url), { serialization: "advanced", execArgv });
  const ended = once(apart, "exit");
  const word = Promise.race([once(apart, "message"), ended.then(([code]) => [{ failed: ENDED + String(code) }])]);
  apart.send(task);
  const [said] = (await word) as [Word]; // what the other process sends
  // It is not to leave by itself: its last word could still be on its way.
  if (apart.connected) apart.disconnect();
  await ended;
  if ("failed" in said) throw new Error(said.failed);
  return said.prepared;
}

const ENDED = "what prepares the Workers ended before it was done, with ";
