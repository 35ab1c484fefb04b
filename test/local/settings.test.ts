// What the environment may say, and what is answered to what it may not.
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { settingsOf, stateDirOf } from "../../scripts/local/settings.ts";

const read = (env: Record<string, string>) => settingsOf(env, "/project");

test("nothing said: the usual ports, and .state in the project", () => {
  expect(read({})).toEqual({ stateDir: resolve("/project/.state"), port: 8787, sandboxPort: 8788 });
});

test("said: what is said, and 0 for any free port", () => {
  expect(read({ PORT: "9787", SANDBOX_PORT: " 9788 ", STATE_DIR: "/data" })).toEqual({
    stateDir: resolve("/data"),
    port: 9787,
    sandboxPort: 9788,
  });
  expect(read({ PORT: "0", SANDBOX_PORT: "0" })).toMatchObject({ port: 0, sandboxPort: 0 });
});

test.each([
  [
    "abc",
    "PORT=abc is no port. Give a whole number from 1 to 65535, or 0 for any free port, or leave it out for 8787.",
  ],
  ["70000", "PORT=70000 is no port."],
  ["-1", "PORT=-1 is no port."],
  ["87.5", "PORT=87.5 is no port."],
  ["1e3", "PORT=1e3 is no port."],
  ["0x50", "PORT=0x50 is no port."],
  ["", "PORT is empty. Leave it out for 8787, or give a whole number from 1 to 65535, or 0 for any free port."],
  ["  ", "PORT is empty."],
])("PORT=%j is answered in words", (said, words) => {
  expect(() => read({ PORT: said })).toThrow(words);
});

test("all mistakes are said at once", () => {
  expect(() => read({ PORT: "abc", SANDBOX_PORT: "", STATE_DIR: "" })).toThrow(
    /^PORT=abc .*\nSANDBOX_PORT is empty.*8788.*\nSTATE_DIR is empty/,
  );
});

test("engine and sandbox need a port each", () => {
  expect(() => read({ PORT: "9000", SANDBOX_PORT: "9000" })).toThrow("PORT and SANDBOX_PORT are both 9000");
  expect(() => read({ PORT: "8788" })).toThrow("both 8788");
});

test("who only opens the folder reads only that", () => {
  expect(stateDirOf({ PORT: "abc" }, "/project")).toBe(resolve("/project/.state"));
  expect(() => stateDirOf({ STATE_DIR: " " }, "/project")).toThrow("STATE_DIR is empty");
});
