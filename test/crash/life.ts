// One life after the other of the same engine: each begins on what the one before left on disk, and ends by SIGKILL
// of its whole process group. Ports stay, since the actions' addresses are frozen in their runs.
import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface Place {
  stateDir: string;
  port: number;
  sandboxPort: number;
  rootKey: string;
  /** Whose code is run: a folder with another version's sources. This one's, if it is not said. */
  root?: string;
  /** Of the engine, besides those that it needs. */
  vars?: Record<string, string>;
  /** Modules of the engine that others stand in for. */
  instead?: Record<string, string>;
}

export interface Life {
  engineUrl: string;
  sandboxUrl: string;
  /** Of the process that hosts it. */
  pid: number;
  /** Resolves when the process is gone. */
  kill(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, "127.0.0.1", listening));
  const address = probe.address();
  await new Promise<void>((closed) => probe.close(() => closed()));
  if (address === null || typeof address === "string") throw new Error("no free port was given");
  return address.port;
}

/** `script`: another one than the engine's, that is told the same and says the same. */
export async function begin(place: Place, script = import.meta.resolve("./hosted.ts")): Promise<Life> {
  const words = ["--disable-warning=ExperimentalWarning", fileURLToPath(script), JSON.stringify(place)];
  // A group of its own, so that one signal ends workerd together with the process that started it.
  const child = spawn(process.execPath, words, { detached: true, stdio: ["ignore", "pipe", "inherit"] });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  // A group of its own would also outlive us.
  process.once("exit", () => killGroup(child));
  const urls = await Promise.race([firstLine(child), gone.then(() => null)]);
  if (urls === null) throw new Error("the engine did not start; its output above says why");
  const { engineUrl, sandboxUrl }: { engineUrl: string; sandboxUrl: string } = JSON.parse(urls);
  return { engineUrl, sandboxUrl, pid: child.pid ?? 0, kill: async () => (killGroup(child), gone) };
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, "SIGKILL");
}

function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("stdout is a pipe");
  return new Promise((resolve) => createInterface({ input: stdout }).once("line", resolve));
}
