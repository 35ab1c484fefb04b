// The structure of the kernel: its folders import each other in one direction, and executions are independent of what kind
// of definition they run. A capability of a program is the way to tell one from another.
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { importsOf, nodesOf } from "./syntax.ts";
import { read, sources, under } from "./tree.ts";

type File = { readonly path: string; readonly text: string };

const kernel = sources.filter(under("src/kernel")).map((path) => ({ path, text: read(path) }));

describe("the folders of src/kernel", () => {
  it("import each other without a cycle, types included", () => {
    expect(cycleIn(kernel)).toEqual([]);
  });

  it("are found in a cycle through a third folder", () => {
    const probe = [
      { path: "src/kernel/a/one.ts", text: 'import type { Two } from "../b/two.ts";' },
      { path: "src/kernel/b/deep/two.ts", text: 'import { three } from "../../c/three.ts";' },
      { path: "src/kernel/c/three.ts", text: 'import { one } from "../a/one.ts";' },
    ];
    expect(cycleIn(probe)).toEqual(["a", "b", "c"]);
    expect(cycleIn(probe.slice(1))).toEqual([]);
  });
});

describe("src/kernel/execution", () => {
  it("asks for no kind of definition", () => {
    const asking = kernel
      .filter(({ path }) => under("src/kernel/execution")(path))
      .filter(({ text }) => asksKind(text));
    expect(asking.map(({ path }) => path)).toEqual([]);
  });

  it.each([
    'if (definition.kind === "machine") return null;',
    "return program.definition.kind;",
    'return position.kind !== "journey";',
    'case "reconciler":',
    'if ("machine" === kind) return null;',
  ])("is refused %s", (text) => {
    expect(asksKind(text)).toBe(true);
  });

  it("may create a position of a kind", () => {
    expect(asksKind('position: { kind: "machine", value: "" },')).toBe(false);
  });
});

function asksKind(text: string): boolean {
  const kind = '"(?:machine|journey|reconciler)"';
  return [/\b(?:definition|position)\??\.kind\b/, `[!=]== ${kind}`, `${kind} [!=]==`, `case ${kind}`].some((asks) =>
    new RegExp(asks).test(text),
  );
}

/** The folders that are left once all without an import of another one left are removed, again and again. */
function cycleIn(files: readonly File[]): readonly string[] {
  let left = new Map<string, ReadonlySet<string>>();
  for (const { path, text } of files) {
    const from = folderOf(path);
    const to = importsOf(nodesOf(text))
      .map(({ name }) => name)
      .filter((name) => name?.startsWith("."))
      .map((name) => folderOf(posix.join(posix.dirname(path), String(name))))
      .filter((folder) => folder !== from);
    left.set(from, new Set([...(left.get(from) ?? []), ...to]));
  }
  for (;;) {
    const kept = new Map([...left].filter(([, to]) => [...to].some((folder) => left.has(folder))));
    if (kept.size === left.size) return [...kept.keys()].toSorted();
    left = kept;
  }
}

/** Folders within a folder belong to it; files of the kernel itself are one folder. */
function folderOf(path: string): string {
  const [, , folder = "", ...rest] = path.split("/");
  return rest.length === 0 ? "" : folder;
}
