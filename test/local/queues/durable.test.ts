// Tests of local queues: they deliver like the platform's queues, and keep messages when the process is killed.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { startEngine, freePort, type EngineProcess, type EnginePlace } from "../../crash/life.ts";

const seenMessages = z.array(z.object({ queue: z.string(), name: z.string(), attempts: z.number() }));
const stateDir = mkdtempSync(join(tmpdir(), "queues-"));
const script = import.meta.resolve("./hosted.ts");
let place: EnginePlace;
let life: EngineProcess;

beforeAll(async () => {
  place = { stateDir, port: await freePort(), sandboxPort: await freePort(), rootKey: "" };
  life = await startEngine(place, script);
}, 60_000);

afterAll(async () => {
  await life.kill();
  rmSync(stateDir, { recursive: true, force: true });
});

type Message = {
  readonly body: { readonly name: string; readonly ending: string; readonly text?: string };
  readonly delaySeconds?: number;
};

async function send(...messages: readonly Message[]): Promise<number> {
  const { status } = await fetch(life.engineUrl, { method: "POST", body: JSON.stringify(messages) });
  return status;
}

/** Lists the deliveries so far, with queue and attempt. */
async function deliveries(name: string): Promise<readonly string[]> {
  const seen = seenMessages.parse(await (await fetch(life.engineUrl)).json());
  return seen.filter((each) => each.name === name).map(({ queue, attempts }) => `${queue} ${attempts}`);
}

test("an acknowledged message is delivered once, a failed one again", async () => {
  await send({ body: { name: "done", ending: "ack" } });
  await expect.poll(() => deliveries("done")).toEqual(["actions 1"]);
  await send({ body: { name: "thrown", ending: "throw" } });
  await expect.poll(() => deliveries("thrown")).toEqual(["actions 1", "actions 2"]);
  expect(await deliveries("done")).toEqual(["actions 1"]);
});

test("a message that failed too often is delivered by the dead-letter queue", { timeout: 30_000 }, async () => {
  await send({ body: { name: "retried", ending: "retry" } });
  const all = Array.from({ length: 11 }, (_, n) => `actions ${n + 1}`);
  await expect.poll(() => deliveries("retried"), { timeout: 20_000 }).toEqual([...all, "actions-dead 1"]);
});

test("a batch beyond the platform's limits is refused", async () => {
  const name = "large";
  expect(await send({ body: { name, ending: "ack", text: "x".repeat(130_000) } })).toBe(500);
  expect(await send(...Array.from({ length: 101 }, () => ({ body: { name, ending: "ack" } })))).toBe(500);
  expect(await deliveries(name)).toEqual([]);
});

test("a long batch delays no other, and a killed process loses no message", { timeout: 60_000 }, async () => {
  await send({ body: { name: "lasting", ending: "last" } });
  await expect.poll(() => deliveries("lasting")).toEqual(["actions 1"]);
  await send(
    { body: { name: "beside", ending: "ack" } },
    { body: { name: "delayed", ending: "ack" }, delaySeconds: 3_600 },
  );
  await expect.poll(() => deliveries("beside")).toEqual(["actions 1"]);

  await life.kill();
  life = await startEngine(place, script);
  // The killed process may have started a delivery, which counts as an attempt.
  await expect.poll(() => deliveries("lasting"), { timeout: 10_000 }).toEqual(["actions 2"]);
  await expect.poll(() => deliveries("delayed"), { timeout: 10_000 }).toEqual(["actions 2"]);
  expect(await deliveries("beside")).toEqual([]);
});
