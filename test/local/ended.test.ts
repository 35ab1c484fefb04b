// Test of shutdown: an execution that ends just before the engine is listed after the next start, also after SIGKILL.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, expect, test } from "vitest";
import { z } from "zod";
import { persistPath } from "../../scripts/local/state-folder.ts";
import { freePort } from "../crash/life.ts";

const EXECUTIONS = 10;
/**
 * The time limit after the start. A killed object would send its row half a minute after its commit; here the queues
 * have it already.
 */
const LISTED_WITHIN_MS = 10_000;
const root = join(import.meta.dirname, "../..");
const node = join(root, "node_modules/node/bin/node");
const folder = mkdtempSync(join(tmpdir(), "ended-"));
const begun: ChildProcess[] = [];
const started = z.object({ execution: z.object({ id: z.string() }) });
const page = z.object({ data: z.array(z.object({ id: z.string() })) });
/** One execution ends at its start, the other one stays. In the pool the only execution of its cell ends. */
const states = { done: { type: "final" }, waiting: { on: { go: "done" } } };
const definitions = [
  { kind: "machine", name: "own", placement: "own", initial: "done", states },
  { kind: "machine", name: "resting", placement: "own", initial: "waiting", states },
  { kind: "machine", name: "pooled", placement: "pooled", initial: "done", states },
];

afterEach(() => begun.splice(0).forEach((child) => signal(child, "SIGKILL")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Place = { readonly stateDir: string; readonly port: number; readonly sandboxPort: number };

/** Starts the engine like a terminal: in a process group, all of whose processes receive the signal. */
async function start({ stateDir, port, sandboxPort }: Place) {
  const env = { ...process.env, STATE_DIR: stateDir, PORT: String(port), SANDBOX_PORT: String(sandboxPort) };
  const words = ["--disable-warning=ExperimentalWarning", "scripts/start.ts"];
  const child = spawn(node, words, { cwd: root, env, detached: true });
  begun.push(child);
  let said = "";
  child.stderr.on("data", (text) => (said += String(text)));
  const ready = new Promise<void>((done) => {
    child.stdout.on("data", (text) => {
      said += String(text);
      if (said.includes("Ctrl-C stops both")) done();
    });
  });
  const ended = new Promise<void>((done) => void child.once("close", () => done()));
  await Promise.race([ready, ended.then(() => Promise.reject(new Error(`It did not start: ${said}`)))]);
  return { child, ended, key: /^key +(\S+)$/m.exec(said)?.[1] ?? "" };
}

/** Returns the text of the messages that the queues have stored. */
function queuedIn(stateDir: string): readonly string[] {
  const folder = join(persistPath(stateDir), "do", "escapement-LocalQueue");
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => /^[0-9a-f]{64}\.sqlite$/.test(file)) : [];
  return files.flatMap((file) => {
    const database = new DatabaseSync(join(folder, file), { readOnly: true, timeout: 1_000 });
    const rows = database.prepare("SELECT body FROM messages").all();
    database.close();
    return rows.map(({ body }) => String(body));
  });
}

function signal({ pid, exitCode, signalCode }: ChildProcess, name: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, name);
}

function clientOf({ port }: Place, key: string) {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  return async (method: "GET" | "POST", path: string, body?: object): Promise<unknown> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${port}/v1/${path}`, { method, headers, ...sent });
    return response.json();
  };
}

test.each(["SIGINT", "SIGKILL"] as const)(
  "an execution that ends within the last second before %s is listed soon after the next start",
  { timeout: 120_000 },
  async (how) => {
    const stateDir = join(folder, how);
    const place = { stateDir, port: await freePort(), sandboxPort: await freePort() };
    const first = await start(place);
    const ask = clientOf(place, first.key);
    for (const definition of definitions) await ask("POST", "definitions", definition);
    const names = ["pooled", "resting", ...Array.from({ length: EXECUTIONS }, () => "own")];
    const starts = names.map(async (definition) => started.parse(await ask("POST", "executions", { definition })));
    const ids = (await Promise.all(starts)).map(({ execution }) => execution.id);
    const listed = async (): Promise<readonly string[]> =>
      page.parse(await ask("GET", "executions?limit=100")).data.map(({ id }) => id);
    const unsent = async (): Promise<readonly string[]> => {
      const queued = queuedIn(stateDir).join();
      const known = await listed();
      return ids.filter((id) => !queued.includes(id) && !known.includes(id));
    };
    await expect.poll(unsent, { interval: 10 }).toEqual([]);
    signal(first.child, how);
    await first.ended;

    await start(place);
    await expect.poll(listed, { timeout: LISTED_WITHIN_MS }).toEqual(expect.arrayContaining(ids));
  },
);
