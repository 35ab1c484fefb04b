// The steps that a change can make fail, found by what imports what: those for `npm run check -- changed`.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { quick, type Step } from "./steps.ts";

const CODE = /^(src|durable-objects|sandbox|test|scripts|bench)\/.*\.ts$/;
/** Slow, and nearly all of them import nearly everything: they run where one of them has changed. */
const slow = [
  { project: "workers-flows", files: /^test\/flows\// },
  { project: "engine", files: /^test\/(local|chain|runners\/misbehaving)\// },
  { project: "workers-alone", files: /\.alone\.workers\.test\.ts$|^test\/cost\// },
];
const hint = "npx vitest run <file>";

/** What differs from HEAD, or, where nothing does, from where this branch left the main one. */
export function changedFiles(): string[] {
  const uncommitted = [...git("diff --name-only HEAD"), ...git("ls-files --others --exclude-standard")];
  return uncommitted.length > 0 ? uncommitted : git(`diff --name-only ${forkPoint()}`);
}

export function stepsFor(files: readonly string[]): readonly Step[] {
  const tidy: Step = { name: "tidy", command: "vitest run --project node test/tidy test/runners/docs", hint };
  const code = files.filter((file) => CODE.test(file) && existsSync(file));
  if (code.length === 0) return [...quick, tidy];
  const related = `vitest related ${code.join(" ")} --run --passWithNoTests`;
  const touched = slow.filter(({ files: own }) => code.some((file) => own.test(file)));
  const projects = ["workers", ...touched.map(({ project }) => project)].map((name) => ` --project ${name}`).join("");
  // The longest first: two run at once.
  return [
    { name: "related tests, slow projects", command: `${related}${projects}`, hint },
    { name: "related tests, Node", command: `${related} --project node --project kernel-node`, hint },
    ...quick,
    tidy,
  ];
}

function forkPoint(): string {
  for (const main of ["main", "origin/main"]) {
    const [commit] = git(`merge-base HEAD ${main}`);
    if (commit !== undefined) return commit;
  }
  return "HEAD";
}

function git(words: string): string[] {
  const { stdout } = spawnSync("git", words.split(" "), { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line !== "");
}
