// Test of a live stream's close over a real socket. In workerd's own sockets a close needs no answer.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readOrCreateVars } from "../../scripts/dev-vars.ts";
import { host, type Host } from "../../scripts/host.ts";
import { seed } from "../../scripts/seed.ts";

const state = mkdtempSync(join(tmpdir(), "live-"));
const counter = {
  kind: "machine",
  name: "counter",
  initial: "open",
  states: { open: { on: { close: "done" } }, done: { type: "final" } },
};
let engine: Host;
let key = "";

beforeAll(async () => {
  const vars = readOrCreateVars(join(state, ".dev.vars"));
  engine = await host({ persist: false, vars, quiet: true });
  const { engineUrl, sandboxUrl } = engine;
  const example = join(state, "no-example.json");
  const rootKey = vars["ROOT_KEY"] ?? "";
  ({ key } = await seed({ engineUrl, sandboxUrl, rootKey, keyFile: join(state, "demo-key"), example }));
  await post("/v1/definitions", counter);
}, 120_000);

afterAll(async () => {
  await engine?.dispose();
  rmSync(state, { recursive: true, force: true });
});

async function post(path: string, body: unknown): Promise<Response> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const response = await fetch(engine.engineUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
  expect(response.status).toBeLessThan(300);
  return response;
}

const watch = (id: string): WebSocket => {
  const url = `${engine.engineUrl.replace("http", "ws")}/v1/executions/${id}/live`;
  return new WebSocket(url, ["escapement.v1", `key.${key}`]);
};

const opened = (socket: WebSocket): Promise<unknown> =>
  new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));

const closed = (socket: WebSocket): Promise<CloseEvent> =>
  new Promise((resolve) => socket.addEventListener("close", resolve, { once: true }));

test("a client's close is answered with its code", { timeout: 30_000 }, async () => {
  await post("/v1/executions", { definition: "counter", id: "exe_closed" });
  // 1005 means that a close frame had no code.
  const codes: readonly (number | undefined)[] = [1000, 4000, undefined];
  const answers = codes.map(async (code) => {
    const socket = watch("exe_closed");
    const answer = closed(socket);
    await opened(socket);
    socket.close(code);
    const { code: answered, wasClean } = await answer;
    return [answered, wasClean];
  });
  expect(await Promise.all(answers)).toEqual([
    [1000, true],
    [4000, true],
    [1005, true],
  ]);
});
