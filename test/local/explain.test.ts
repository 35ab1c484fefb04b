// Tests of startup error messages.
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { explainStartError } from "../../scripts/local/explain.ts";
import { FolderInUse } from "../../scripts/local/folder-lock.ts";
import { PortTaken, refuseTakenPort } from "../../scripts/local/free-port.ts";
import { InvalidSettings } from "../../scripts/local/settings.ts";

const ELSEWHERE = "STATE_DIR=.state-2 PORT=9787 SANDBOX_PORT=9788 npm start";

test("a taken port: suggests another port and another state folder", async () => {
  const other = createServer();
  await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
  const address = other.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const error = await refuseTakenPort(port, "127.0.0.1").catch((refused: unknown) => refused);
  expect(error).toBeInstanceOf(PortTaken);
  expect(explainStartError(error)).toContain(String(port));
  expect(explainStartError(error)).toContain(ELSEWHERE);
  await new Promise((done) => other.close(done));
  await refuseTakenPort(port, "127.0.0.1");
});

test("a port without permission is not reported as taken", async () => {
  const error = await refuseTakenPort(80, "203.0.113.1").catch((refused: unknown) => refused);
  expect(error).not.toBeInstanceOf(PortTaken);
  const forbidden = Object.assign(new Error("listen EACCES: permission denied 127.0.0.1:80"), {
    code: "EACCES",
    syscall: "listen",
  });
  expect(explainStartError(forbidden)).toContain(forbidden.message);
  expect(explainStartError(forbidden)).toContain("1024");
});

test("a locked folder: prints the owner's process, start time and address, and a command that works", () => {
  const holder = { pid: 4711, since: "2026-11-18T20:56:41.597Z", engineUrl: "http://127.0.0.1:8787", runtime: [] };
  const said = explainStartError(new FolderInUse("/data", holder));
  for (const fact of ["/data", "4711", holder.since, holder.engineUrl, "kill 4711"]) expect(said).toContain(fact);
  expect(said.split("\n").at(-1)?.trim()).toBe(ELSEWHERE);
  const silent = explainStartError(new FolderInUse("/data", { ...holder, engineUrl: null }));
  expect(silent).toContain("kill 4711");
  expect(silent).not.toMatch(/https?:|null/);
  const unknown = explainStartError(new FolderInUse("/data", null));
  expect(unknown).toContain("/data");
  expect(unknown).not.toMatch(/kill|null/);
});

test("invalid settings and other errors keep their own messages", () => {
  expect(explainStartError(new InvalidSettings("PORT=abc is no port."))).toBe("PORT=abc is no port.");
  expect(explainStartError(new Error("no disk"))).toMatch(/\bno disk$/);
  expect(explainStartError("odd")).toMatch(/\bodd$/);
});
