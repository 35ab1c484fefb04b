// Test of a killed engine: an attempt in progress in the queue lane is repeated soon after the next start, and not only
// at its deadline.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openAccount } from "../crash/account.ts";
import { type EnginePlace, freePort, startEngine } from "../crash/life.ts";

/** The attempt's timeout is 60 s, so its deadline is later. */
const REPEATED_WITHIN_MS = 30_000;

test("an attempt in the queue lane is repeated soon after a kill", { timeout: 120_000 }, async () => {
  const keys: string[] = [];
  const open: ServerResponse[] = [];
  const receiver = createServer((request, response) => {
    keys.push(String(request.headers["idempotency-key"]));
    // The first call never gets an answer.
    if (keys.length === 1) open.push(response);
    else response.end("{}");
  });
  const port = await freePort();
  await new Promise<void>((listens) => receiver.listen(port, "127.0.0.1", listens));
  const stateDir = mkdtempSync(join(tmpdir(), "killed-run-"));
  const place: EnginePlace = {
    stateDir,
    port: await freePort(),
    sandboxPort: await freePort(),
    rootKey: "root-killed",
  };
  let life = await startEngine(place);
  onTestFinished(async () => {
    await life.kill();
    receiver.closeAllConnections();
    receiver.close();
    rmSync(stateDir, { recursive: true, force: true });
  });
  const { tenant, everyOneCompletes } = await openAccount(life, place.rootKey, "killed");
  const call = {
    type: "webhook",
    actionId: "call",
    lane: "queue",
    timeout: 60_000,
    config: { url: `http://127.0.0.1:${port}` },
  };
  const definition = {
    kind: "machine",
    name: "slow",
    initial: "calling",
    states: { calling: { on: { "action.call.ok": "done" } }, done: { type: "final" } },
    actions: [{ ...call, triggerState: "calling" }],
  };
  await tenant.requestJson("POST", `${life.engineUrl}/v1/definitions`, definition);
  await tenant.requestJson("POST", `${life.engineUrl}/v1/executions`, { definition: "slow", id: "exe_slow" });
  await expect.poll(() => keys.length, { timeout: 10_000 }).toBe(1);

  await life.kill();
  life = await startEngine(place);
  await expect.poll(() => keys.length, { timeout: REPEATED_WITHIN_MS }).toBe(2);
  expect(keys[1]).toBe(keys[0]);
  await everyOneCompletes(["exe_slow"]);
});
