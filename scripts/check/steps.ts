// What CI asks for, step by step. A step has a name to be chosen by, and a hint for whoever sees it fail.
export type Step = {
  readonly name: string;
  readonly command: string;
  readonly hint: string;
  /** It mostly waits, so it needs no core of its own. */
  readonly waits?: true;
};

const format: Step = { name: "format", command: "oxfmt --check", hint: "npm run format" };

/** Seconds each; they find most mistakes. */
export const quick: readonly Step[] = [
  format,
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
    name: "API description",
    command: "node scripts/openapi.ts",
    hint: "redocly and spectral name the place; test/client/generated calls every operation",
  },
];

const again = "npx vitest run <file>";

const replay = "the failing seed's replay command is printed above";

/** In the order in which they begin: the longest first, so that nothing long is left over at the end. */
export const all: readonly Step[] = [
  { name: "tests, engine", command: tests("engine"), hint: again, waits: true },
  { name: "tests, flows", command: tests("workers-flows"), hint: again, waits: true },
  { name: "tests, workerd, alone", command: tests("workers-alone"), hint: again },
  { name: "tests, Node", command: tests("node"), hint: again },
  ...quick,
  { name: "tests, workerd", command: tests("workers"), hint: again },
  {
    name: "kernel coverage, Node",
    command: `${tests("kernel-node")} --coverage`,
    hint: "the kernel is covered to the last branch",
  },
  { name: "kernel sample, workerd", command: tests("kernel-workers"), hint: "the same tests must hold in workerd" },
  { name: "simulator", command: "node scripts/sim.ts --seeds 100", hint: replay },
  {
    name: "bundle",
    command: "node scripts/bundle-size.ts",
    hint: "a new dependency earns its bytes in docs/decisions",
  },
];

/** The long half, for a schedule and before a release: `npm run check -- long`. */
export const long: readonly Step[] = [
  { name: "crash", command: "node scripts/crash.ts", hint: "the seed is printed above", waits: true },
  { name: "simulator, long", command: "node scripts/sim.ts --seeds 1000", hint: replay },
  {
    name: "simulated worlds, all seeds",
    command: "node scripts/check/with.ts ALL_SEEDS=true vitest run --project node test/sim",
    hint: replay,
  },
  {
    name: "kernel, workerd, whole",
    command: "node scripts/check/with.ts WHOLE_KERNEL=true vitest run --project kernel-workers",
    hint: "the same tests must hold in workerd",
  },
  { name: "upgrade", command: "node scripts/upgrade/drill.ts", hint: "the seed is printed above" },
];

function tests(project: string): string {
  return `vitest run --project ${project}`;
}
