// Checks two tables of docs/architecture.md: the map has every room, and each row of "Where do I look for …" names a file that
// declares the row's name.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { read, tree } from "./tree.ts";

const root = join(import.meta.dirname, "../..");
/** The table is for what a newcomer would not guess; what is in its noun's folder needs no row. */
const QUESTIONS_MAX = 25;

const page = read("docs/architecture.md");
const rooms = rowsOf("The map").flatMap(([room = ""]) => room.split(", ").map(bare));
const answers = rowsOf("Where do I look for …").map(([question = "", file = "", name = ""]) => ({
  question,
  file: bare(file),
  name: bare(name),
}));

describe("the map", () => {
  it("has a line for every room", () => {
    const source = [...inside("src"), ...inside("durable-objects")];
    const beside = ["sandbox/", "migrations/", "test/", "bench/", "scripts/", "examples/", "docs/"];
    expect(rooms.toSorted()).toEqual([...source, ...beside].toSorted());
  });
});

describe("where do I look for", () => {
  it(`has at most ${QUESTIONS_MAX} questions, each once`, () => {
    expect(answers.length).toBeGreaterThan(0);
    expect(answers.length).toBeLessThanOrEqual(QUESTIONS_MAX);
    expect(new Set(answers.map(({ question }) => question)).size).toBe(answers.length);
  });

  it.each(answers)("$question: $file declares $name", ({ file, name }) => {
    expect(tree).toContain(file);
    expect(declares(read(file), name)).toBe(true);
  });
});

/** To use a name, or to import it, is not to decide it: it must be made here, alone or as a field of something. */
function declares(text: string, name: string): boolean {
  return new RegExp(`\\b(?:const|function|class|type) ${name}\\b|^ +${name}: `, "m").test(text);
}

function rowsOf(heading: string): string[][] {
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(1).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

function bare(cell: string): string {
  return cell.replaceAll("`", "");
}

function inside(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).map(
    (entry) => `${folder}/${entry.name}${entry.isDirectory() ? "/" : ""}`,
  );
}
