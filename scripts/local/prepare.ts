// Preparation: runs prepare-apart.ts in a child process before hosting. Wrangler and esbuild need hundreds of megabytes
// there, which are freed when that process ends.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { V4WorkerOptions } from "miniflare";
import type { WorkerConfig } from "../config.ts";
import type { HostedWorker } from "../hosted-worker.ts";

export interface Preparation {
  hosted: readonly HostedWorker[];
  root: string;
  /** The state folder to migrate. null: the host uses a temporary one. */
  stateDir: string | null;
}

export interface Prepared {
  configs: WorkerConfig[];
  workers: readonly V4WorkerOptions[];
}

/** The child process's result. */
export type PreparationResult = { readonly prepared: Prepared } | { readonly failed: string };

export async function prepare(task: Preparation): Promise<Prepared> {
  const execArgv = ["--disable-warning=ExperimentalWarning"];
  // A separate process group, so that a failure can end all processes that the child has started.
  const child = fork(new URL("./prepare-apart.ts", import.meta.url), {
    serialization: "advanced",
    execArgv,
    detached: true,
  });
  const ended = once(child, "exit");
  const message = Promise.race([
    once(child, "message"),
    ended.then(([code, signal]) => [endProcessGroup(child, code ?? signal)]),
  ]);
  // If the child has ended already, `ended` reports it.
  child.send(task, () => {});
  const [result] = (await message) as [PreparationResult]; // the child process sends it
  // The child ends only after this, so that its message cannot be lost.
  if (child.connected) child.disconnect();
  await ended;
  if ("failed" in result) throw new Error(result.failed);
  return result.prepared;
}

function endProcessGroup({ pid }: ChildProcess, by: unknown): PreparationResult {
  try {
    // The runtime that migrates would otherwise continue and keep the state folder open.
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // No process is left, or the system is Windows, which has no process groups.
  }
  return { failed: `the preparation of the Workers ended early, with ${String(by)}` };
}
