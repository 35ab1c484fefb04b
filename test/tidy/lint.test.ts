// The lint rules that this house relies on are on, where they have to be: oxlint is shown files that break them, in a
// folder of their own with the same configuration.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

const lines = (count: number) =>
  `export function long(): number {\n${"  work();\n".repeat(count - 3)}  return 1;\n}\ndeclare function work(): void;\n`;
const withDefault =
  'export const of = (kind: "a" | "b"): number => {\n  switch (kind) {\n    case "a":\n      return 1;\n    default:\n      return 2;\n  }\n};\n';
const globals = ["fetch", "crypto", "setTimeout", "console", "process", "performance", "globalThis"];
const pure = `export const used = [${globals.join(", ")}];\nexport const read = [Date.now(), Math.random()];\n`;

const probes: readonly (readonly [path: string, text: string, says: readonly string[]])[] = [
  ...["src/schema", "durable-objects/signer", "sandbox", "scripts", "bench"].map(
    (folder) => [`${folder}/long.ts`, lines(71), ["max-lines-per-function"]] as const,
  ),
  ["src/schema/fitting.ts", lines(70), []],
  ["src/wire/tasks/default.ts", withDefault, ["no-switch-default"]],
  ["durable-objects/signer/default.ts", withDefault, ["no-switch-default"]],
  ...["src/kernel", "src/policy/gates"].map(
    (folder) =>
      [
        `${folder}/impure.ts`,
        pure,
        [...globals.map(() => "no-restricted-globals"), ...["Date", "Math"].map(() => "no-restricted-properties")],
      ] as const,
  ),
];

const said = lintedApart();

it.each(probes)("lint says of %s what is wrong with it", (path, _text, says) => {
  const rules = said.filter(({ filename }) => filename === path).map(({ code }) => /\((.*)\)/.exec(code)?.[1]);
  expect(rules.toSorted()).toEqual([...says]);
});

function lintedApart(): readonly { readonly filename: string; readonly code: string }[] {
  const folder = mkdtempSync(join(tmpdir(), "lint-"));
  const put = (path: string, into: (target: string) => void) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    into(join(folder, path));
  };
  try {
    for (const path of [".oxlintrc.json", "scripts/lint/house.ts"])
      put(path, (target) => copyFileSync(join(root, path), target));
    for (const [path, text] of probes) put(path, (target) => writeFileSync(target, text));
    const oxlint = join(root, "node_modules/.bin/oxlint");
    const { stdout } = spawnSync(oxlint, ["--format", "json"], { cwd: folder, encoding: "utf8" });
    return (JSON.parse(stdout) as { diagnostics: { filename: string; code: string }[] }).diagnostics; // oxlint's own form
  } finally {
    rmSync(folder, { recursive: true });
  }
}
