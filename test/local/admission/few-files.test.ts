// Test of the admission gate with a real engine: its process may open few files, and more executions are started at
// once than there are files for.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { clientWith, createdKey, page } from "#test/crash/client.ts";

const FILES_MAX = 500;
/** Each object holds three files and a socket, so at most a hundred fit. */
const COUNT = 130;
const stateDir = mkdtempSync(join(tmpdir(), "few-files-"));
const ROOT_KEY = "root-of-few-files";
let engine: ChildProcess | undefined;

afterAll(async () => {
  const gone = engine && once(engine, "exit");
  if (engine?.pid !== undefined) process.kill(-engine.pid, "SIGKILL");
  await gone;
  rmSync(stateDir, { recursive: true, force: true });
});

const definition = {
  kind: "machine",
  name: "brief",
  placement: "own",
  initial: "waits",
  states: { waits: { after: { "1": "done" } }, done: { type: "final" } },
};

test.runIf(process.platform === "linux")(
  "with more starts than free files, starts wait: all complete, and no answer is a 500",
  async () => {
    const { engineUrl } = await begun();
    const root = clientWith({ Authorization: `Bearer ${ROOT_KEY}` });
    await root.requestJson("POST", `${engineUrl}/v1/tenants`, { id: "few", name: "Few" });
    const asked = { name: "few", scopes: ["read", "write"] };
    const { secret } = createdKey.parse(
      await root.requestJson("POST", `${engineUrl}/v1/keys`, asked, { "X-Tenant": "few" }),
    );
    const headers = { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" };
    const tenant = clientWith({ Authorization: `Bearer ${secret}` });
    await tenant.requestJson("POST", `${engineUrl}/v1/definitions`, definition);

    const start = async (n: number): Promise<string> => {
      const body = JSON.stringify({ definition: "brief" });
      const more = { ...headers, "Idempotency-Key": `start-${n}` };
      for (;;) {
        const response = await fetch(`${engineUrl}/v1/executions`, { method: "POST", headers: more, body });
        const text = await response.text();
        if (response.status === 201 || response.status === 200) return started.parse(JSON.parse(text)).execution.id;
        // A start that waited too long is repeated under its key.
        expect([response.status, text]).toEqual([503, expect.stringContaining("unavailable")]);
        expect(response.headers.get("Retry-After")).not.toBeNull();
      }
    };
    const ids = await Promise.all(Array.from({ length: COUNT }, (_, n) => start(n)));
    expect(new Set(ids).size).toBe(COUNT);

    const completed = async (): Promise<number> => {
      const url = `${engineUrl}/v1/executions?status=completed&limit=200`;
      return page.parse(await tenant.requestJson("GET", url)).data.length;
    };
    await expect.poll(completed, { timeout: 120_000, interval: 500 }).toBe(COUNT);
  },
  240_000,
);

const started = z.object({ execution: z.object({ id: z.string() }) });

async function begun(): Promise<{ readonly engineUrl: string }> {
  const hosted = join(import.meta.dirname, "../../crash/hosted.ts");
  const place = { stateDir, port: 0, sandboxPort: 0, rootKey: ROOT_KEY };
  const words = [hosted, JSON.stringify(place)];
  const limited = ["-c", `ulimit -n ${FILES_MAX} && exec "$0" --disable-warning=ExperimentalWarning "$@"`];
  engine = spawn("sh", [...limited, process.execPath, ...words], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (engine.stdout === null) throw new Error("stdout is a pipe");
  const ended = once(engine, "exit").then(() => ["the engine ended before it said where it is"]);
  const [line] = await Promise.race([once(createInterface({ input: engine.stdout }), "line"), ended]);
  return z.object({ engineUrl: z.string() }).parse(JSON.parse(String(line)));
}
