// Tests of `npm start`: memory use when idle, and no remaining processes after a stop at any time.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { lockFolder } from "../../scripts/local/folder-lock.ts";
import { childrenOf, isRunning, type ProcessName } from "../../scripts/local/processes.ts";

const IDLE_MB_MAX = 350;
const root = join(import.meta.dirname, "../..");
const node = join(root, "node_modules/node/bin/node");
const folders: string[] = [];
const started: Started[] = [];
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), "start-"));
  folders.push(made);
  return made;
};
afterEach(({ task }) => {
  // Prints the output of a process that a test waited for in vain.
  for (const { pid, child, said } of started.splice(0)) {
    if (task.result?.state === "fail" && child.exitCode === null)
      console.error(`still there, with ${childrenOf(pid).length} children: ${said()}`);
    child.kill("SIGKILL");
  }
});
afterAll(() => folders.forEach((made) => rmSync(made, { recursive: true, force: true })));

type Started = {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly said: string }>;
  readonly said: () => string;
};

/** Starts the engine on a folder without waiting for it. */
function start(stateDir: string, port = 0): Started {
  const env = { ...process.env, STATE_DIR: stateDir, PORT: String(port), SANDBOX_PORT: "0" };
  const child = spawn(node, ["--disable-warning=ExperimentalWarning", "scripts/start.ts"], { cwd: root, env });
  const { pid = 0 } = child;
  let said = "";
  child.stdout.on("data", (text) => (said += String(text)));
  child.stderr.on("data", (text) => (said += String(text)));
  const ended = new Promise<Awaited<Started["ended"]>>((done) => child.on("close", (code) => done({ code, said })));
  const begun = { pid, child, ended, said: () => said };
  started.push(begun);
  return begun;
}

/** Repeats `look` until it returns a value. Fails with the output if the engine has ended. */
async function eventually<T>({ child, said }: Started, look: () => T | undefined): Promise<T> {
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    const by = child.exitCode ?? child.signalCode;
    if (by !== null) throw new Error(`It ended with ${by}, and said: ${said()}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Waits for the preparation's process. */
const preparing = (begun: Started): Promise<ProcessName> => eventually(begun, () => childrenOf(begun.pid)[0]);

async function goes(name: ProcessName): Promise<void> {
  await expect.poll(() => isRunning(name), { timeout: 20_000 }).toBe(false);
}

function heldMb(pid: number): number {
  const kb = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1];
  return Number(kb) / 1024;
}

test(
  "a first start creates the demo, uses little memory when idle, and stops completely on a signal",
  { timeout: 120_000 },
  async () => {
    const stateDir = folder();
    const begun = start(stateDir);
    const { pid, child, ended, said } = begun;
    await eventually(begun, () => said().includes("Ctrl-C") || undefined);
    expect(said()).toMatch(/http:.*\n.*http:.*\n.*esk_/);
    const runtime = childrenOf(pid);
    expect(runtime).toHaveLength(1);
    if (process.platform === "linux") {
      const held = () => [pid, ...runtime.map((each) => each.pid)].reduce((sum, each) => sum + heldMb(each), 0);
      // Memory of the start is released within some seconds.
      await expect.poll(held, { timeout: 60_000 }).toBeLessThan(IDLE_MB_MAX);
    }
    child.kill("SIGINT");
    expect((await ended).code).toBe(0);
    expect(runtime.filter(isRunning)).toEqual([]);
    (await lockFolder(stateDir)).release();
  },
);

test(
  "a start that is stopped during preparation leaves no process and a free folder",
  { timeout: 60_000 },
  async () => {
    const stateDir = folder();
    const begun = start(stateDir);
    const apart = await preparing(begun);
    begun.child.kill("SIGTERM");
    await begun.ended;
    await goes(apart);
    (await lockFolder(stateDir)).release();
  },
);

test("a start whose preparation is killed reports that and ends", { timeout: 60_000 }, async () => {
  const stateDir = folder();
  const begun = start(stateDir);
  process.kill((await preparing(begun)).pid, "SIGKILL");
  const { code, said } = await begun.ended;
  expect([code, said]).toEqual([1, expect.stringContaining("SIGKILL")]);
  (await lockFolder(stateDir)).release();
});

test("the preparation's processes end when the start is killed", { timeout: 60_000 }, async () => {
  const stateDir = folder();
  const begun = start(stateDir);
  const apart = await preparing(begun);
  const bundling = await eventually(begun, () => childrenOf(apart.pid)[0]);
  const migrating = await eventually(begun, () => childrenOf(apart.pid).find(({ pid }) => pid !== bundling.pid));
  process.kill(apart.pid, "SIGKILL");
  expect((await begun.ended).said).toContain("SIGKILL");
  await goes(migrating);
  (await lockFolder(stateDir)).release();
});

/** Listens on a port until `close` is called. */
async function listening(at = 0) {
  const server = createServer();
  await new Promise<void>((done) => server.listen(at, "127.0.0.1", done));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    close: () => new Promise((done) => server.close(done)),
  };
}

test("a taken port is reported with a command that works", { timeout: 60_000 }, async () => {
  const { port, close } = await listening();
  const { code, said } = await start(folder(), port).ended;
  await close();
  expect([code, said]).toEqual([1, expect.stringMatching(new RegExp(`\\b${port}\\b`))]);
  expect(said).toContain("STATE_DIR=.state-2 PORT=9787 SANDBOX_PORT=9788 npm start");
});

test("a port that is taken during the preparation is reported, too", { timeout: 120_000 }, async () => {
  const stateDir = folder();
  const { port, close } = await listening();
  await close();
  const begun = start(stateDir, port);
  await preparing(begun);
  const other = await listening(port);
  const { code, said } = await begun.ended;
  await other.close();
  expect([code, said]).toEqual([1, expect.stringMatching(new RegExp(`\\b${port}\\b`))]);
  (await lockFolder(stateDir)).release();
});
