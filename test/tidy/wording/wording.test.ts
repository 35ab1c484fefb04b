// No file has more literary phrases than it had when they were counted, and no endpoint's summary gets worse: names the
// phrases and what to write instead. Numbers that have fallen are lowered by `npm run texts`.
import { describe, expect, it } from "vitest";
import { COMMAND } from "../generated/snapshots.ts";
import { phrasesIn } from "./hits.ts";
import { lowered } from "./ratchet.ts";
import { faultOf } from "./summaries.ts";
import { wording } from "./wording.ts";

const found = wording();

it.each(Object.entries(found))("nothing is worse than %s allows", (_path, { above, allowed, faults }) => {
  const said = above.flatMap((of) => [
    `${of}: ${faults[of]?.length}, ${allowed[of] ?? 0} allowed`,
    ...(faults[of] ?? []),
  ]);
  expect(said).toEqual([]);
});

it.each(Object.entries(found))("%s allows no more than there is", (path, { allowed, next }) => {
  expect(allowed, `lower the numbers of ${path}: \`${COMMAND}\``).toEqual(next);
});

describe("a phrase is found", () => {
  it.each([
    ["in a comment", "// Asks whoever is there.\n", ["whoever"]],
    ["over two lines of a comment", "// The cell is\n  // told of it.\n", ["is told"]],
    ["in a string", 'refuse("nobody holds it");', ["nobody"]],
    ["in a string of two parts", 'const text = "it is " +\n  "told";', ["is told"]],
    ["in a template", "refuse(`${name} stands apart`);", ["stands apart"]],
    ["in capitals", "/** Nobody asks. */", ["Nobody"]],
    ["in a name", "export function giveBackSlot() {}", ["giveBackSlot"]],
    ["in a name of one word", "export type Taken = string;", ["Taken"]],
    ["as a clause at the beginning", "// What was stored goes out.\n", ["What was"]],
  ])("%s", (_where, source, phrases) => {
    expect(phrasesIn("src/kernel/step.ts", source).map(({ says }) => says.split(":")[0])).toEqual(
      phrases.map((phrase) => `"${phrase}"`),
    );
  });

  it("in the name of a file, and on a page", () => {
    expect(phrasesIn("src/kernel/hand-over.ts", "").map(({ line }) => line)).toEqual([1]);
    expect(phrasesIn("docs/a.md", "# A\n\nIt is done\nonce more.\n").map(({ line }) => line)).toEqual([4]);
  });
});

describe("a phrase is none", () => {
  it.each([
    ["as a value of the API", 'const status = "unwanted"; const kinds = { nobody: 1 };'],
    ["as a local name", "const fate = outlook(purse);"],
    ["in SQL", 'exec("SELECT owed FROM errands");'],
    ["in a question", "// What is a cell? It is an object.\n"],
    ["where things are told apart", "// Lives are told apart by their number.\n"],
    ["with a good reason", "// It is kept for good reasons.\n"],
    ["as a constant", "export const FAILED = 1;"],
  ])("%s", (_where, source) => {
    expect(phrasesIn("src/kernel/step.ts", source)).toEqual([]);
  });

  it("as a name in backticks, or in an address", () => {
    expect(phrasesIn("docs/a.md", "The field `unwanted`, [here](b.md#for-good).\n")).toEqual([]);
  });
});

describe("a ratchet", () => {
  it.each([
    ["stays", { a: 2 }, { a: 2 }, { a: 2 }, []],
    ["falls", { a: 2, b: 1 }, { a: 1 }, { a: 1 }, []],
    ["never rises", { a: 2 }, { a: 3 }, { a: 2 }, ["a"]],
    ["allows nothing new", { a: 2 }, { a: 2, b: 1 }, { a: 2 }, ["b"]],
    ["goes with a file that is renamed", { a: 2 }, { b: 2 }, { b: 2 }, []],
    ["goes with a part of a file", { a: 3 }, { a: 1, b: 3 }, { a: 1, b: 2 }, ["b"]],
  ])("%s", (_how, allowed, counts, next, above) => {
    expect(lowered(allowed, counts, true)).toEqual({ next, above });
  });

  it("goes nowhere where nothing moves", () => {
    expect(lowered({ a: 1 }, { b: 1 }, false)).toEqual({ next: {}, above: ["b"] });
  });
});

it.each([
  ["Retry a dead letter", null],
  ["Roll back a definition", null],
  ["Retries a dead letter", "Retries"],
  ["A dead letter", "A"],
  ["Retry a dead letter of an execution now", "8 words"],
])("the summary %j is judged by its verb and its length", (summary, fault) => {
  if (fault === null) expect(faultOf(summary)).toBeNull();
  else expect(faultOf(summary)).toContain(fault);
});
