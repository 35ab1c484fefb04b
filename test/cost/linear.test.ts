// What a caller sends doubles, and the work for it no more than doubles: checks of definitions, templates, and rules.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";

const TWICE = 2.5;
const root = join(import.meta.dirname, "../..");
const counts = z.array(z.object({ what: z.string(), size: z.number(), before: z.number(), after: z.number() })).min(1);

test("work grows no faster than what a caller sends", () => {
  const script = join(import.meta.dirname, "linear-cases.ts");
  const printed = execFileSync(join(root, "node_modules/node/bin/node"), [script], { cwd: root, encoding: "utf8" });
  const cases = counts.parse(JSON.parse(printed));
  expect(cases.filter(({ size, before }) => before <= size)).toEqual([]);
  expect(cases.filter(({ before, after }) => after / before >= TWICE)).toEqual([]);
});
