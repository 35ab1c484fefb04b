// Tests of the state folder's lock: two engines never share a folder, and a killed engine does not keep its lock.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { FolderInUse, type LockOwner, lockFolder } from "../../scripts/local/folder-lock.ts";
import { isRunning, processNamed } from "../../scripts/local/processes.ts";

const root = join(import.meta.dirname, "../..");
const node = join(root, "node_modules/node/bin/node");
const folders: string[] = [];
const children: ChildProcess[] = [];
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), "folder-lock-"));
  folders.push(made);
  return made;
};
afterEach(() => children.splice(0).forEach(endGroup));
afterAll(() => folders.forEach((made) => rmSync(made, { recursive: true })));

/** Ends the process group, because child processes would outlive their parent. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // No process of the group is left.
  }
}

function run(
  ...args: string[]
): Promise<{ readonly code: number | null; readonly said: string; readonly child: ChildProcess }> {
  const child = spawn(node, ["--disable-warning=ExperimentalWarning", ...args], { cwd: root, detached: true });
  children.push(child);
  let said = "";
  return new Promise((done) => {
    const hear = (text: Buffer) => {
      said += String(text);
      if (said.includes("ready")) done({ code: null, said, child });
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("close", (code) => done({ code, said, child }));
  });
}

/** A script that locks the folder and starts a child process in the place of the runtime. */
const HOLDER = `
import { spawn } from "node:child_process";
import { lockFolder } from "./scripts/local/folder-lock.ts";
import { childrenOf } from "./scripts/local/processes.ts";
const lock = await lockFolder(process.env.FOLDER);
spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
lock.storeAddress("http://127.0.0.1:9999", childrenOf(process.pid));
console.log("ready");
setInterval(() => {}, 1000);`;

async function holding(stateDir: string): Promise<ChildProcess> {
  process.env.FOLDER = stateDir;
  return (await run("--input-type=module", "-e", HOLDER)).child;
}

async function refusal(stateDir: string): Promise<FolderInUse> {
  try {
    (await lockFolder(stateDir)).release();
  } catch (error) {
    if (error instanceof FolderInUse) return error;
    throw error;
  }
  throw new Error("it was given");
}

test("a locked folder is refused, with its owner", async () => {
  const stateDir = folder();
  const { pid = 0 } = await holding(stateDir);
  const refused = await refusal(stateDir);
  expect(refused).toMatchObject({ stateDir, owner: { pid, engineUrl: "http://127.0.0.1:9999" } });
  expect(refused.owner?.runtime).toHaveLength(1);
  expect(Date.parse(refused.owner?.since ?? "")).toBeGreaterThan(Date.now() - 60_000);
});

test("the lock of a killed owner is free, and its leftover runtime is ended", async () => {
  const stateDir = folder();
  const child = await holding(stateDir);
  const [left] = (await refusal(stateDir)).owner?.runtime ?? [];
  if (left === undefined) throw new Error("it wrote down no runtime");
  const gone = new Promise((done) => child.on("close", done));
  child.kill("SIGKILL");
  await Promise.race([gone, new Promise((done) => child.on("exit", done))]);
  expect(isRunning(left)).toBe(true);
  const lock = await lockFolder(stateDir);
  expect([isRunning(left), lock.isAfterKill]).toEqual([false, true]);
  lock.release();
  const next = await lockFolder(stateDir);
  expect(next.isAfterKill).toBe(false);
  next.release();
});

test("a reused process id is not ended", async () => {
  const stateDir = folder();
  const child = await holding(stateDir);
  const { pid = 0 } = child;
  const other = processNamed(process.pid);
  const earlier: LockOwner = {
    pid,
    since: "2026-01-01T00:00:00.000Z",
    engineUrl: null,
    runtime: [{ pid: other?.pid ?? 0, began: "long ago" }],
  };
  child.kill("SIGKILL");
  await new Promise((done) => child.on("exit", done));
  writeFileSync(join(stateDir, "engine.json"), JSON.stringify(earlier));
  (await lockFolder(stateDir)).release();
  expect(isRunning(other ?? { pid: 0, began: "" })).toBe(true);
});

test("an unreadable owner file is ignored", async () => {
  const stateDir = folder();
  writeFileSync(join(stateDir, "engine.json"), '{"pid":');
  const lock = await lockFolder(stateDir);
  writeFileSync(join(stateDir, "engine.json"), "[]");
  expect((await refusal(stateDir)).owner).toBeNull();
  lock.release();
});

test("a released folder can be locked again; a second release does not release the next lock", async () => {
  const stateDir = folder();
  const first = await lockFolder(stateDir);
  first.release();
  const second = await lockFolder(stateDir);
  first.release();
  expect(await refusal(stateDir)).toBeInstanceOf(FolderInUse);
  second.release();
});

test("npm start and npm run migrate report the owner of the folder", async () => {
  const stateDir = folder();
  const lock = await lockFolder(stateDir);
  lock.storeAddress("http://127.0.0.1:9999", []);
  process.env.STATE_DIR = stateDir;
  try {
    for (const script of ["scripts/start.ts", "scripts/migrate.ts"]) {
      const { code, said } = await run(script);
      expect([code, said]).toEqual([1, expect.stringContaining(stateDir)]);
      expect(said).toContain("http://127.0.0.1:9999");
      expect(said).toContain(`kill ${process.pid}`);
      expect(said).toContain("STATE_DIR=.state-2 PORT=9787 SANDBOX_PORT=9788 npm start");
    }
  } finally {
    delete process.env.STATE_DIR;
    lock.release();
  }
}, 60_000);
