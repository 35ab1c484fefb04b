import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mutants } from "../../scripts/mutants/all.ts";
import { faultOf, mutated, nameOf, type Mutant } from "../../scripts/mutants/mistake.ts";

test("each mistake of the list can still be made: its text stands in its file exactly once", () => {
  const faults = mutants.map((mutant) => faultOf(mutant, readFileSync(mutant.file, "utf8")));
  expect(faults.filter((fault) => fault !== null)).toEqual([]);
});

test("each has a name of its own", () => {
  const names = mutants.map(nameOf);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

const late: Mutant = { file: "a.ts", from: "now > until", to: "now >= until", why: "late an instant early" };

test.each([
  ["gone", "now === until", "stands there 0 times"],
  ["there twice", "now > until || now > until", "stands there 2 times"],
])("a text that is %s is an error that says which", (_, text, said) => {
  expect(() => mutated(late, text)).toThrow(`"late an instant early" is for a text that ${said}`);
});

test("a mistake changes its text, to the letter, and nothing else", () => {
  expect(mutated({ ...late, to: "$&" }, "if (now > until) end();")).toBe("if ($&) end();");
  expect(faultOf({ ...late, to: late.from }, "now > until")).toContain("changes nothing");
});
