// The variable LOG_LEVELS, and the lines that its levels let through.
import { describe, expect, test } from "vitest";
import { openLog, parseLogLevels, type LogComponent } from "#schema/logging/log-levels.ts";

describe("the variable", () => {
  test.each([
    ["", {}],
    ["default=warn", { default: "warn" }],
    [" default = info , reconciler = debug ,", { default: "info", reconciler: "debug" }],
  ])("%j is valid", (text, levels) => expect(parseLogLevels(text)).toEqual(levels));

  test.each([
    "info",
    "default",
    "default=",
    "default=loud",
    "cells=info",
    "default=info=warn",
    "worker=off,worker=info",
  ])("%j is invalid", (text) => expect(parseLogLevels(text)).toBeNull());
});

describe("a line", () => {
  const linesOf = (text: string | undefined, component: LogComponent) => {
    const found: unknown[] = [];
    const log = openLog(text, component, (line) => void found.push(line["level"]));
    for (const level of ["debug", "info", "warn", "error", undefined]) log({ level });
    return found;
  };

  test.each<[string | undefined, LogComponent, readonly unknown[]]>([
    [undefined, "worker", ["info", "warn", "error", undefined]],
    ["", "reconciler", ["info", "warn", "error", undefined]],
    ["default=error", "worker", ["error"]],
    ["default=error,reconciler=debug", "reconciler", ["debug", "info", "warn", "error", undefined]],
    ["default=error,reconciler=debug", "execution", ["error"]],
    ["worker=off", "worker", []],
    ["default=error", "actions", ["debug", "info", "warn", "error", undefined]],
  ])("with %j of the component %s", (text, component, levels) => expect(linesOf(text, component)).toEqual(levels));

  test("says once that the variable is invalid, and the default applies", () => {
    const found: unknown[] = [];
    const open = () => openLog("reconciler=loud", "reconciler", (line) => void found.push(line));
    open();
    open()({ level: "debug" });
    expect(found).toMatchObject([{ level: "warn", event: "log_levels_invalid", value: "reconciler=loud" }]);
  });
});
