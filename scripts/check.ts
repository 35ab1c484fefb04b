// Everything CI asks for, one step after the other, with what each took: format, lint, types, dead code, tests in
// Node and in workerd, the kernel's coverage in both, the simulator, the crash test, the bundle.
import { spawnSync } from "node:child_process";

type Step = { readonly name: string; readonly command: string; readonly hint: string };

const steps: readonly Step[] = [
  { name: "format", command: "oxfmt --check", hint: "npm run format" },
  { name: "lint", command: "oxlint", hint: "oxlint names the rule and the place" },
  { name: "types", command: "tsc -p tsconfig.json", hint: "the Worker, the objects, the sandbox and their tests" },
  {
    name: "types of kernel and policy",
    command: "tsc -p src/kernel/tsconfig.json",
    hint: "no platform types there: kernel and policy are pure",
  },
  {
    name: "types of the scripts",
    command: "tsc -p scripts/tsconfig.json",
    hint: "scripts, bench and the tests that need Node",
  },
  { name: "dead code", command: "knip", hint: "delete what nothing uses" },
  {
    name: "tests",
    command: "vitest run --project node --project workers --project workers-alone",
    hint: "npx vitest run <file>",
  },
  { name: "kernel coverage, Node", command: coverage("kernel-node"), hint: "the kernel is covered to the last branch" },
  {
    name: "kernel coverage, workerd",
    command: coverage("kernel-workers"),
    hint: "the same tests must hold in workerd",
  },
  {
    name: "simulator",
    command: "node scripts/sim.ts --seeds 300",
    hint: "the failing seed's replay command is printed above",
  },
  { name: "crash", command: "node scripts/crash.ts", hint: "the seed is printed above" },
  {
    name: "bundle",
    command: "node scripts/bundle-size.ts",
    hint: "a new dependency earns its bytes in docs/decisions",
  },
];

function coverage(project: string): string {
  return `vitest run --project ${project} --coverage --coverage.reportsDirectory=coverage/${project}`;
}

const only = process.argv.slice(2);
const chosen = only.length > 0 ? steps.filter(({ name }) => only.some((word) => name.includes(word))) : steps;
const results = chosen.map(({ name, command, hint }) => {
  console.log(`\n— ${name}: ${command}`);
  const begun = performance.now();
  const { status } = spawnSync(command, { shell: true, stdio: "inherit" });
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  if (status !== 0) console.error(`${name} failed: ${hint}`);
  return { name, ok: status === 0, seconds };
});

console.log();
for (const { name, ok, seconds } of results)
  console.log(`${ok ? "ok    " : "FAILED"} ${seconds.padStart(6)} s  ${name}`);
const failed = results.filter(({ ok }) => !ok).length;
console.log(`\ncheck: ${results.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
