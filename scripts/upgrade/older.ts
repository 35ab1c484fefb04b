// Older sources: extracts an earlier version from git to a temporary folder, and links the installed packages.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const project = resolve(import.meta.dirname, "../..");

export type OlderSources = {
  readonly root: string;
  readonly commit: string;
  readonly subject: string;
  /** Whether the version was built with other packages than the installed ones. */
  readonly hasOtherPackages: boolean;
};

/**
 * Extracts the sources; they are deleted when the process ends. Throws if git does not know the ref, as in a shallow
 * clone.
 */
export function extractSources(ref: string): OlderSources {
  const git = (...words: readonly string[]): string =>
    execFileSync("git", ["-C", project, ...words], { encoding: "utf8" }).trim();
  const commit = git("rev-parse", "--verify", "--end-of-options", `${ref}^{commit}`);
  const root = mkdtempSync(join(tmpdir(), "escapement-older-"));
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  const archive = join(root, "sources.tar");
  git("archive", "--format=tar", `--output=${archive}`, commit);
  execFileSync("tar", ["-xf", archive, "-C", root]);
  rmSync(archive);
  symlinkSync(join(project, "node_modules"), join(root, "node_modules"), "dir");
  return { root, commit, subject: git("log", "-1", "--format=%s", commit), hasOtherPackages: lockfilesDiffer(root) };
}

function lockfilesDiffer(root: string): boolean {
  const [theirs, ours] = [root, project].map((folder) => join(folder, "package-lock.json"));
  return theirs !== undefined && ours !== undefined && existsSync(theirs) && textOf(theirs) !== textOf(ours);
}

function textOf(file: string): string {
  return readFileSync(file, "utf8");
}
