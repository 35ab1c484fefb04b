// Folders and names as a newcomer guesses them: few enough files to look over, and no two names of a room that one
// letter tells apart.
import { posix } from "node:path";

const FILES_MAX = 25;

/** What applies migrations looks into this one folder; these, and decisions, only ever grow in number, and are found by it. */
const GROWING: ReadonlySet<string> = new Set(["migrations", "docs/decisions"]);

export function crowded(tree: readonly string[]): readonly string[] {
  const sizes = new Map<string, number>();
  for (const path of tree) sizes.set(posix.dirname(path), (sizes.get(posix.dirname(path)) ?? 0) + 1);
  return [...sizes]
    .filter(([folder, size]) => size > FILES_MAX && !GROWING.has(folder))
    .map(([folder, size]) => `${folder}: ${size} files`);
}

/** Pairs of paths in one room whose names differ by one letter. Equal names in two folders are told apart by those. */
export function alike(tree: readonly string[]): readonly (readonly [string, string])[] {
  const named = tree.toSorted().map((path) => ({ path, room: roomOf(path), name: nameOf(path) }));
  return named.flatMap((one, index) =>
    named
      .slice(index + 1)
      .filter((other) => other.room === one.room && isOneLetterOff(one.name, other.name))
      .map((other) => [one.path, other.path] as const),
  );
}

/** Without its endings: of `step.golden.test.ts`, `step`. */
export function nameOf(path: string): string {
  return posix.basename(path).replace(/^\./, "").split(".")[0] ?? "";
}

function roomOf(path: string): string {
  const [first = "", second] = posix.dirname(path).split("/");
  return ["src", "durable-objects", "test"].includes(first) && second !== undefined ? `${first}/${second}` : first;
}

function isOneLetterOff(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (one === other || long.length - short.length > 1) return false;
  const same = [...short].findIndex((letter, at) => letter !== long[at]);
  const at = same === -1 ? short.length : same;
  return short.slice(short.length === long.length ? at + 1 : at) === long.slice(at + 1);
}
