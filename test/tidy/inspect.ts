// Holds one source text against the walls of house.ts and says what breaks them. Reads no disk: a path and a text are
// enough, so that a probe need not lie in the tree.
import { posix } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { divided, rules, type Rule } from "./house.ts";
import { importsOf, nodesOf, type Import, type Seen } from "./syntax.ts";
import { words, type Word } from "./words.ts";

export type Complaint = {
  readonly path: string;
  readonly line: number;
  readonly says: string;
  /** The import that a passage would excuse, or the word. */
  readonly to: string | Word | null;
};

export function inspect(path: string, text: string): readonly Complaint[] {
  const rule = rules[hallOf(path)];
  if (rule === undefined)
    return [{ path, line: 1, says: `${hallOf(path)} has no rule in test/tidy/house.ts`, to: null }];
  const nodes = nodesOf(text);
  return [
    ...importsOf(nodes).flatMap((each) => aboutImport(path, rule, each)),
    ...nodes.flatMap((each) => aboutWords(path, rule, each)),
  ];
}

export function told({ path, line, says }: Complaint): string {
  return `${path}:${line} ${says}`;
}

/** `src/<room>`, `durable-objects/<room>`, or else the first folder; a file beside the rooms is one of its own. */
export function roomOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return ["src", "durable-objects"].includes(first) ? `${first}/${second}` : first;
}

/** Whose rule counts: a room's, or in a divided one a folder's. */
function hallOf(path: string): string {
  const steps = path.split("/");
  const room = roomOf(path);
  return divided.includes(room) && steps.length > 3 ? steps.slice(0, 3).join("/") : room;
}

function aboutImport(path: string, rule: Rule, { name, line }: Import): readonly Complaint[] {
  const complain = (says: string, to: string | null) => [{ path, line, says, to }];
  if (name === null) return complain("imports what nobody can read from the text: a computed name", null);
  const target = fileOf(path, name);
  if (target === null) return mayUse(rule, name) ? [] : complain(`uses the package ${name}`, name);
  const isAtHome = roomOf(target) === roomOf(path);
  if (name.startsWith(".") && !isAtHome)
    return complain(`leaves its room by ${name}: another room is imported as #room/…`, target);
  if (name.startsWith("#") && isAtHome) return complain(`goes round by ${name} to its own room`, target);
  return mayEnter(path, rule, target) ? [] : complain(`enters ${target}`, target);
}

/** The file that an import means, or null for a package. */
function fileOf(path: string, name: string): string | null {
  if (name.startsWith(".")) return posix.join(posix.dirname(path), name);
  if (!name.startsWith("#")) return null;
  for (const [alias, target] of Object.entries(packageJson.imports)) {
    if (alias === name) return posix.normalize(target);
    const stem = alias.slice(0, -1);
    if (alias.endsWith("*") && name.startsWith(stem)) return posix.join(target.slice(0, -1), name.slice(stem.length));
  }
  return name;
}

function mayUse({ packages }: Rule, name: string): boolean {
  return packages.some((each) => name === each || name.startsWith(`${each}/`));
}

function mayEnter(path: string, { enters, except = [] }: Rule, target: string): boolean {
  const isIn = (place: string) => [place, `${place}.ts`].includes(target) || target.startsWith(`${place}/`);
  return [hallOf(path), ...enters].some(isIn) && !except.some(isIn);
}

function aboutWords(path: string, rule: Rule, seen: Seen): readonly Complaint[] {
  return rule.words
    .filter((word) => words[word](seen))
    .map((word) => ({ path, line: seen.line, says: `says what it may not: ${word}`, to: word }));
}
