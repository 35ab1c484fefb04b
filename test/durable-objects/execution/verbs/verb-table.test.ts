// Tests every verb on every kind in every status, and the prediction of its dry run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verbTable, type Cell } from "./verb-table.ts";

const PAGE = join(import.meta.dirname, "../../../../docs/reference/verb-table.md");

test("the docs' table shows what is accepted when, and a dry run predicts the result", async () => {
  const cells: [string, Cell][] = [];
  const table = await verbTable((cell, where) => void cells.push([where, cell]));
  for (const [where, { foretold, made }] of cells) expect([where, foretold]).toEqual([where, made]);
  expect(cells.length).toBeGreaterThan(1_000);
  // scripts/record-golden.ts records the table again.
  expect(table).toBe(readFileSync(PAGE, "utf8"));
}, 120_000);
