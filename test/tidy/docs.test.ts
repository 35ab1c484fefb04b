// What the documentation points at is there: files by their whole path or by their end, links, headings. Docs rot first where
// they name a file that has moved; a failure says in which page and what.
import { globSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { read, tree } from "./tree.ts";

const root = join(import.meta.dirname, "../..");
const pages = tree.filter((path) => path.endsWith(".md"));
const textOf = Object.fromEntries(pages.map((page) => [page, read(page)]));
/** Every file and folder of the project, folders with a slash at their end. */
const known = new Set(tree.flatMap((path) => [path, ...foldersOf(path)]));
const tops = [...known].filter((path) => /^[^/]+\/$/.test(path));
/** What tools make here is not the project's: it is there or not. */
const made = read(".gitignore")
  .split("\n")
  .filter((line) => line.endsWith("/"));

describe.each(pages)("%s", (page) => {
  const text = textOf[page] ?? "";

  it("names files and folders that are there", () => {
    expect(namedIn(text).filter((name) => !isThere(name))).toEqual([]);
  });

  it("links to pages and headings that are there", () => {
    expect(linksIn(text).filter((link) => !leadsSomewhere(page, link))).toEqual([]);
  });
});

it("decision 0012 has a word for each dependency, and names none that is not there", () => {
  const manifest = JSON.parse(read("package.json")) as {
    readonly dependencies: object;
    readonly devDependencies: object;
  };
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const text = textOf["docs/decisions/0012-justify-each-dependency.md"] ?? "";
  // A table's first cell; what comes along with a package stands behind it in parentheses.
  const cells = [...text.matchAll(/^\| (?!package|---)([^|]+) \|/gm)].map(([, cell = ""]) => cell);
  const listed = cells.flatMap((cell) => cell.replace(/ \(.*\)/, "").split(", "));
  expect(listed.filter((name) => !installed.includes(name))).toEqual([]);
  expect(installed.filter((name) => !listed.includes(name))).toEqual([]);
});

/** In backticks: what begins with a folder of the project, and what ends as a source file or a folder does. */
function namedIn(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, "");
  return [...prose.matchAll(/`([^`\s]+)`/g)]
    .map(([, name = ""]) => name)
    .filter((name) => tops.some((top) => name.startsWith(top)) || /^[\w.-][\w./-]*(\.(ts|mjs|sql)|\/)$/.test(name))
    .filter((name) => !name.includes("<") && !made.some((folder) => name.startsWith(folder)));
}

function isThere(name: string): boolean {
  if (name.includes("*")) return globSync(name, { cwd: root }).length > 0;
  if (known.has(name) || known.has(`${name}/`)) return true;
  return !tops.some((top) => name.startsWith(top)) && [...known].some((path) => path.endsWith(`/${name}`));
}

function linksIn(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, "").replaceAll(/`[^`]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link).filter((link) => !/^https?:/.test(link));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = "", heading] = link.split("#");
  const target = path === "" ? page : normalize(join(dirname(page), path)).replaceAll("\\", "/");
  if (!known.has(target) && !known.has(`${target}/`)) return false;
  return heading === undefined || headingsOf(textOf[target] ?? "").has(heading);
}

/** As GitHub makes them: small letters, spaces as hyphens, everything else but letters, digits, _ and - left out. */
function headingsOf(text: string): Set<string> {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, "");
  const titles = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => title.trim().toLowerCase());
  return new Set(titles.map((title) => title.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(/\s/g, "-")));
}

function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_part, n) => `${parts.slice(0, n + 1).join("/")}/`);
}
