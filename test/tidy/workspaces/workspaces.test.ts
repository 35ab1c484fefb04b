// The walls of the workspaces: packages and the dashboard use the public API only, and the Worker imports none of them.
import { describe, expect, it } from "vitest";
import { workspaces } from "../house.ts";
import { read, sources, under } from "../tree.ts";
import { importsOutside, isWorkspaceImport } from "./imports.ts";

const files = sources.filter((path) => ["src", "durable-objects", "sandbox"].some((folder) => under(folder)(path)));

describe("the workspaces", () => {
  it.each(workspaces)(
    "$folder imports packages and the workspaces it may use, never the Worker",
    ({ folder, enters }) => {
      const files = sources.filter(under(folder));
      expect(files.flatMap((path) => importsOutside(path, read(path), [folder, ...enters]))).toEqual([]);
    },
  );

  it("are not imported by the Worker, its objects or the sandbox", () => {
    expect(files.filter((path) => isWorkspaceImport(path, read(path)))).toEqual([]);
  });

  it.each<[string, string, readonly string[], number]>([
    ["an import of src", 'import { x } from "../../../src/kernel/assert.ts";', ["packages"], 1],
    ["an import of a room", 'import { x } from "#kernel/assert.ts";', ["packages"], 1],
    ["an import of another workspace", 'import { x } from "../../../dashboard/src/app.ts";', ["packages"], 1],
    ["a file of its own", 'import { x } from "./client.ts";', ["packages"], 0],
    ["a package", 'import { z } from "zod"; export * from "escapement/react";', ["dashboard"], 0],
  ])("%s is judged", (_what, text, allowed, count) => {
    expect(importsOutside("packages/escapement/src/client.ts", text, allowed)).toHaveLength(count);
  });
});
