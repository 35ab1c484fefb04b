// Tests of the memory settings: the host process restarts once with them and loses nothing.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ProcessState, restartCommand } from "../../scripts/local/frugal.ts";

const root = join(import.meta.dirname, "../..");
const BEGUN: ProcessState = {
  platform: "linux",
  env: { PORT: "9787" },
  execPath: "/bin/node",
  connected: false,
  execArgv: ["--inspect"],
  argv: ["/bin/node", "/engine/start.ts", "--no-seed"],
};

test("the process restarts with the same arguments and additional memory settings", () => {
  expect(restartCommand(BEGUN)).toEqual({
    words: ["/bin/node", "--optimize-for-size", "--inspect", "/engine/start.ts", "--no-seed"],
    env: { PORT: "9787", MALLOC_TRIM_THRESHOLD_: "131072" },
  });
});

test("a restarted process does not restart again", () => {
  const env = restartCommand(BEGUN)?.env ?? {};
  expect(restartCommand({ ...BEGUN, env })).toBeNull();
});

test("on other systems than Linux, or with an IPC channel, the process does not restart", () => {
  expect(restartCommand({ ...BEGUN, platform: "darwin" })).toBeNull();
  expect(restartCommand({ ...BEGUN, connected: true })).toBeNull();
});

test.runIf(process.platform === "linux")("the restarted process keeps process id, arguments and exit code", () => {
  const script = `
    import { restartWithLessMemory } from "./scripts/local/frugal.ts";
    process.stdout.write(process.pid + " ");
    restartWithLessMemory();
    console.log(process.execArgv.includes("--optimize-for-size"), process.env.SAID, process.argv.slice(1).join());
    process.exitCode = 7;`;
  const { MALLOC_TRIM_THRESHOLD_: _, ...env } = process.env;
  const words = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script, "one", "two"];
  const node = join(root, "node_modules/node/bin/node");
  const { pid, stdout, status } = spawnSync(node, words, { cwd: root, env: { ...env, SAID: "yes" }, encoding: "utf8" });
  expect([stdout, status]).toEqual([`${pid} ${pid} true yes one,two\n`, 7]);
});
