// Working tree copy: copies the working tree to a temporary folder, where tests run on mutated files.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export type Tree = { readonly root: string; readonly remove: () => void };

/** Copies all files that git tracks or would add. node_modules is linked. */
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

/** Changes the file while `work` runs, and restores it afterwards. */
export async function whileChanged<T>(path: string, change: (text: string) => string, work: () => Promise<T>) {
  const text = readFileSync(path, "utf8");
  writeFileSync(path, change(text));
  try {
    return await work();
  } finally {
    writeFileSync(path, text);
  }
}
