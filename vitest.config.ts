// Two runtimes, told apart by the file name: *.test.ts runs in Node, *.workers.test.ts in workerd.
// The kernel must behave the same in both, so its tests run twice.
// Loading the modules takes far longer than testing them, so the files that one worker runs share them, and what is
// stored. A file that needs a world of its own says so in its name: *.alone.workers.test.ts.
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

const workers = () =>
  cloudflareTest(async () => ({
    wrangler: { configPath: "./wrangler.toml" },
    miniflare: { compatibilityFlags: [], bindings: { TEST_MIGRATIONS: await readD1Migrations("./migrations") } },
    verbose: false,
  }));

const kernel = ["test/kernel/**/*.test.ts", "test/policy/**/*.test.ts"];
/** One worker is given all its files at once: a second one would load everything again, and tests wait more than work. */
const shared = { isolate: false, maxWorkers: 1 };

export default defineConfig({
  test: {
    coverage: {
      provider: "istanbul",
      include: ["src/kernel/**/*.ts", "src/policy/**/*.ts"],
      reporter: [["text", { skipFull: true }], "json", "text-summary"],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
    projects: [
      {
        test: {
          ...shared,
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.workers.test.ts", ...kernel],
        },
      },
      {
        plugins: [workers()],
        test: {
          ...shared,
          name: "workers",
          include: ["test/**/*.workers.test.ts"],
          exclude: ["test/**/*.alone.workers.test.ts"],
          setupFiles: ["./test/support/d1.ts"],
        },
      },
      {
        plugins: [workers()],
        test: {
          name: "workers-alone",
          maxWorkers: 1,
          include: ["test/**/*.alone.workers.test.ts"],
          setupFiles: ["./test/support/d1.ts"],
        },
      },
      { test: { ...shared, name: "kernel-node", include: kernel } },
      { plugins: [workers()], test: { ...shared, name: "kernel-workers", include: kernel } },
    ],
  },
});
