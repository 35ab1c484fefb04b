// Tests of the environment variables of `npm start`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { InvalidSettings, readSettings, stateDirOf, varsFileOf } from "../../scripts/local/settings.ts";

const read = (env: Record<string, string>) => readSettings(env, "/project");
const problems = (env: Record<string, string>) => linesOf(() => read(env));

/** Returns the lines of the error, one per mistake. */
function linesOf(reads: () => unknown): readonly string[] {
  try {
    reads();
  } catch (error) {
    if (error instanceof InvalidSettings) return error.message.split("\n");
    throw error;
  }
  return [];
}

test("without settings: the default ports and .state in the project", () => {
  expect(read({})).toEqual({ stateDir: resolve("/project/.state"), port: 8787, sandboxPort: 8788 });
});

test("with settings: their values, and 0 for any free port", () => {
  expect(read({ PORT: "9787", SANDBOX_PORT: " 9788 ", STATE_DIR: "/data" })).toEqual({
    stateDir: resolve("/data"),
    port: 9787,
    sandboxPort: 9788,
  });
  expect(read({ PORT: "0", SANDBOX_PORT: "0" })).toMatchObject({ port: 0, sandboxPort: 0 });
});

test.each([
  ["abc", "PORT=abc"],
  ["70000", "PORT=70000"],
  ["-1", "PORT=-1"],
  ["87.5", "PORT=87.5"],
  ["1e3", "PORT=1e3"],
  ["0x50", "PORT=0x50"],
  ["", "PORT"],
  ["  ", "PORT"],
])("PORT=%j is reported with the allowed values", (said, named) => {
  const words = problems({ PORT: said });
  expect(words).toHaveLength(1);
  expect(words[0]?.startsWith(`${named} `)).toBe(true);
  // The allowed range, and the default.
  for (const fact of ["1", "65535", "0", "8787"]) expect(words[0]).toMatch(new RegExp(`\\b${fact}\\b`));
});

test("all mistakes are reported at once", () => {
  const words = problems({ PORT: "abc", SANDBOX_PORT: "", STATE_DIR: "" });
  expect(words.map((line) => line.split(" ")[0])).toEqual(["PORT=abc", "SANDBOX_PORT", "STATE_DIR"]);
  expect(words[1]).toContain("8788");
});

test("engine and sandbox must have different ports", () => {
  const both = [problems({ PORT: "9000", SANDBOX_PORT: "9000" }), problems({ PORT: "8788" })];
  expect(both).toEqual([[expect.stringMatching(/PORT.*SANDBOX_PORT.*9000/)], [expect.stringContaining("8788")]]);
});

test("stateDirOf reads only the folder's setting", () => {
  expect(stateDirOf({ PORT: "abc" }, "/project")).toBe(resolve("/project/.state"));
  expect(linesOf(() => stateDirOf({ STATE_DIR: " " }, "/project"))).toEqual([expect.stringMatching(/^STATE_DIR /)]);
});

test("the keys of a state folder outside the project stay out of the project", () => {
  const outside = mkdtempSync(join(tmpdir(), "settings-"));
  onTestFinished(() => rmSync(outside, { recursive: true }));
  const own = join(outside, ".dev.vars");
  const shared = join("/project", ".dev.vars");
  expect(varsFileOf("/project/.state", "/project")).toBe(shared);
  expect(varsFileOf("/project/.state-2", "/project")).toBe(shared);
  expect(varsFileOf(outside, "/project")).toBe(own);
  // The folder has data, which the project's keys encrypted.
  mkdirSync(join(outside, "v3"));
  expect(varsFileOf(outside, "/project")).toBe(shared);
  writeFileSync(own, "");
  expect(varsFileOf(outside, "/project")).toBe(own);
});
