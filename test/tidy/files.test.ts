// What every source file owes its reader, whatever its room: a first sentence, a length, a place, and no silenced checker.
import { describe, expect, it } from "vitest";
import { read, sources } from "./tree.ts";

describe("every file", () => {
  it("has at most 300 lines: longer ones hide a second room", () => {
    const long = sources
      .map((path) => [path, read(path).split("\n").length] as const)
      .filter(([, lines]) => lines > 301);
    expect(long).toEqual([]);
  });

  it("begins by saying what it is", () => {
    const silent = sources.filter((path) => !/\.(d|test)\.ts$/.test(path) && !/^(#!.*\n)?(\/\/|\/\*)/.test(read(path)));
    expect(silent).toEqual([]);
  });

  it("has a place of its own: no utils, lib, common, helpers, no barrels", () => {
    const vague = sources.filter(
      (path) =>
        /\/(utils?|lib|common|helpers?)(\/|\.ts$)/.test(path) ||
        (path.endsWith("/index.ts") && path !== "src/index.ts"),
    );
    expect(vague).toEqual([]);
  });

  it("silences no checker: no any, no ts-expect-error, no skipped or focused test", () => {
    const debts = [
      /@ts-(expect-error|ignore|nocheck)/,
      /\bas any\b/,
      /: any\b/,
      /\.(skip|only)\(/,
      /\b(TODO|FIXME|XXX)\b/,
    ];
    const owing = sources.filter((path) => !path.startsWith("test/tidy/"));
    expect(owing.flatMap((path) => linesMatching(path, debts))).toEqual([]);
  });
});

it("the Worker's entry is a table of contents of at most 80 lines", () => {
  expect(read("src/index.ts").split("\n").length).toBeLessThanOrEqual(81);
});

function linesMatching(path: string, rules: readonly RegExp[]): string[] {
  return read(path)
    .split("\n")
    .flatMap((line, index) => {
      const code = line.trimStart();
      if (code.startsWith("//") || code.startsWith("*") || code.startsWith("/*")) return [];
      const rule = rules.find((each) => each.test(line));
      return rule ? [`${path}:${index + 1} ${rule.source}: ${code.slice(0, 80)}`] : [];
    });
}
