// What comes before hosting happens in a process of its own: wrangler and esbuild take hundreds of megabytes to read a
// configuration and to bundle a Worker, and nobody needs them afterwards. They go with their process.
import { type ChildProcess, fork } from "node:child_process";
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
  // A process group of its own, so that whatever it has begun can be ended with it.
  const apart = fork(new URL("./prepare-apart.ts", import.meta.url), {
    serialization: "advanced",
    execArgv,
    detached: true,
  });
  const ended = once(apart, "exit");
  const word = Promise.race([
    once(apart, "message"),
    ended.then(([code, signal]) => [endedEarly(apart, code ?? signal)]),
  ]);
  // Who cannot be told any more has ended, and that is heard of above.
  apart.send(task, () => {});
  const [said] = (await word) as [Word]; // what the other process sends
  // It is not to leave by itself: its last word could still be on its way.
  if (apart.connected) apart.disconnect();
  await ended;
  if ("failed" in said) throw new Error(said.failed);
  return said.prepared;
}

function endedEarly({ pid }: ChildProcess, by: unknown): Word {
  try {
    // The runtime that migrates would stay, with the state folder open.
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left, or this is Windows, which knows no groups.
  }
  return { failed: `what prepares the Workers ended before it was done, with ${String(by)}` };
}
