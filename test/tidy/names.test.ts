// Whoever opens the tree guesses the file, and is right: folders one can look over, names one can tell apart, and a test
// that is called after what it tests.
import { describe, expect, it } from "vitest";
import { alike, crowded, nameOf } from "./names.ts";
import { tree, under } from "./tree.ts";

describe("the tree", () => {
  it("has no folder with more than 25 files", () => {
    expect(crowded(tree)).toEqual([]);
  });

  it("has no two names in one room that differ by one letter", () => {
    expect(alike(tree)).toEqual([]);
  });

  it.each(["kernel", "policy"])("names each test of the %s after the file it tests", (room) => {
    const strays = tree
      .filter((path) => under(`test/${room}`)(path) && path.endsWith(".test.ts"))
      .filter((path) => !tree.includes(testedBy(path)));
    expect(strays).toEqual([]);
  });
});

describe("a name is refused", () => {
  it("in the 26th file of a folder", () => {
    const files = Array.from({ length: 26 }, (_, n) => `src/schema/deep/${n}.ts`);
    expect(crowded(files)).toEqual(["src/schema/deep: 26 files"]);
    expect(crowded([...files.slice(1), "src/schema/deep/deeper/0.ts"])).toEqual([]);
  });

  it.each([
    ["a letter more", "src/services/alerts/alert.ts", "src/services/upkeep/alerts.ts"],
    ["a letter less, at the beginning", "src/runners/evm/gas.ts", "src/runners/http/as.ts"],
    ["another letter", "durable-objects/signer/abi.ts", "durable-objects/signer/api.ts"],
    ["a letter more, in a test", "test/flows/child.test.ts", "test/flows/childs.workers.test.ts"],
    ["a letter more, in the scripts", "scripts/seed.ts", "scripts/load/seeds.ts"],
  ])("for %s", (_difference, one, other) => {
    expect(alike([one, other])).toHaveLength(1);
  });

  it.each([
    ["the same name in two folders", "src/wire/tasks/shape.ts", "src/wire/keys/shape.ts"],
    ["another room", "src/kernel/step.ts", "src/policy/steps.ts"],
    ["two letters", "src/kernel/run.ts", "src/kernel/runner.ts"],
    ["another aspect of the same test", "test/kernel/step.test.ts", "test/kernel/step.golden.test.ts"],
  ])("but not for %s", (_difference, one, other) => {
    expect(alike([one, other])).toEqual([]);
  });
});

/** `test/kernel/<path>/<file>[.<aspect>].test.ts` tests `src/kernel/<path>/<file>.ts`. */
function testedBy(path: string): string {
  return `src/${path.split("/").slice(1, -1).join("/")}/${nameOf(path)}.ts`;
}
