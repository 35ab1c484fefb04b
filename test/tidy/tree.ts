// The files of this tree as it lies on the disk, but for what .gitignore leaves out: paths from the root, with slashes.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const ignored = [".git", ...readFileSync(join(root, ".gitignore"), "utf8").split("\n")]
  .map((line) => line.trim().replace(/\/$/, ""))
  .filter((line) => line !== "");

export const tree: readonly string[] = filesIn("");
export const sources: readonly string[] = tree.filter((path) => /\.(ts|tsx|mts|js|mjs)$/.test(path));

export function under(folder: string): (path: string) => boolean {
  return (path) => path.startsWith(`${folder}/`);
}

export function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (isIgnored(entry.name)) return [];
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

/** .gitignore has names here and `*.ending`, nothing more; a new kind of line has to be taught to this. */
function isIgnored(name: string): boolean {
  return ignored.some((line) => (line.startsWith("*.") ? name.endsWith(line.slice(1)) : name === line));
}
