// A copy of the working tree in a temporary folder, for tests to run in: what is broken there is broken nowhere else.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export type Tree = { readonly root: string; readonly remove: () => void };

/** All that git knows of or would take; what is installed is linked. */
export function copyTree(from: string): Tree {
  const root = mkdtempSync(join(tmpdir(), "mutants-"));
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: from });
  for (const path of listed.toString().split("\0")) {
    if (path === "" || !existsSync(join(from, path))) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(join(from, path), join(root, path));
  }
  symlinkSync(join(from, "node_modules"), join(root, "node_modules"));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** While `work` goes on, the file reads as `change` makes it. */
export async function whileChanged<T>(path: string, change: (text: string) => string, work: () => Promise<T>) {
  const text = readFileSync(path, "utf8");
  writeFileSync(path, change(text));
  try {
    return await work();
  } finally {
    writeFileSync(path, text);
  }
}
