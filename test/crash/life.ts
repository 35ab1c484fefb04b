// Engine processes: starts engines one after the other on the same state folder and ends each by SIGKILL of its process
// group. The ports stay the same, because stored runs contain the actions' addresses.
import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface EnginePlace {
  stateDir: string;
  port: number;
  sandboxPort: number;
  rootKey: string;
  /** The folder of another version's sources. Default: these sources. */
  root?: string;
  /** Additional vars of the engine. */
  vars?: Record<string, string>;
  /** Replaced modules of the engine: absolute path → absolute path of the replacement. */
  replacements?: Record<string, string>;
}

export interface EngineProcess {
  engineUrl: string;
  sandboxUrl: string;
  /** The id of the process that hosts the engine. */
  pid: number;
  /** Kills the process group. Resolves when the process has ended. */
  kill(): Promise<void>;
}

export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS);
    if (await isFree(port)) return port;
  }
}

/**
 * Below the ports that the system gives to connections and to servers without a fixed port: one of those could take the
 * port of a killed engine before the engine starts again.
 */
const FIRST_PORT = 20_000;
const PORTS = 12_000;

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

/** Starts an engine and waits for its addresses. `script`: another script with the same arguments and output. */
export async function startEngine(
  place: EnginePlace,
  script = import.meta.resolve("./hosted.ts"),
): Promise<EngineProcess> {
  const words = ["--disable-warning=ExperimentalWarning", fileURLToPath(script), JSON.stringify(place)];
  // A separate process group, so that one signal ends workerd and its parent.
  const child = spawn(process.execPath, words, { detached: true, stdio: ["ignore", "pipe", "inherit"] });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  // A separate process group would outlive this process.
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
