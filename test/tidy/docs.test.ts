// What the documentation points at is there: files by their whole path or by their end, links, headings. Docs rot first where
// they name a file that has moved; a failure says in which page and what.
import { globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const pages = globSync(["*.md", "docs/**/*.md", "examples/*.md", "test/**/*.md", ".github/**/*.md"], { cwd: root })
  .map((page) => page.replaceAll("\\", "/"))
  .toSorted();
const textOf = Object.fromEntries(pages.map((page) => [page, readFileSync(join(root, page), "utf8")]));

/** What tools make here is not the project's: it is there or not. */
const ignored = readFileSync(join(root, ".gitignore"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => `${line.replace(/\/$/, "")}/`);
const folders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !ignored.includes(`${entry.name}/`))
  .map(({ name }) => name)
  .filter((name) => name === ".github" || !name.startsWith("."));
/** Every file and folder of the project, folders with a slash at their end. */
const all = folders.flatMap((folder) => [`${folder}/`, ...inside(folder)]);
const known = new Set([...all, ...readdirSync(root)]);

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
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly dependencies: object;
    readonly devDependencies: object;
  };
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const text = textOf["docs/decisions/0012-dependencies.md"] ?? "";
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
    .filter(
      (name) =>
        folders.some((folder) => name.startsWith(`${folder}/`)) || /^[\w.-][\w./-]*(\.(ts|mjs|sql)|\/)$/.test(name),
    )
    .filter((name) => !name.includes("<") && !ignored.some((folder) => name.startsWith(folder)));
}

function isThere(name: string): boolean {
  if (name.includes("*")) return globSync(name, { cwd: root }).length > 0;
  if (known.has(name) || known.has(`${name}/`)) return true;
  return !folders.some((folder) => name.startsWith(`${folder}/`)) && all.some((path) => path.endsWith(`/${name}`));
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

function inside(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (ignored.includes(`${entry.name}/`)) return [];
    return entry.isDirectory() ? [`${path}/`, ...inside(path)] : [path];
  });
}
