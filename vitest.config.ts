// Two runtimes, told apart by the file name: *.test.ts runs in Node, *.workers.test.ts in workerd.
// The kernel must behave the same in both, so its tests run twice.
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

const workers = () =>
  cloudflareTest(async () => ({
    wrangler: { configPath: "./wrangler.toml" },
    miniflare: { compatibilityFlags: [], bindings: { TEST_MIGRATIONS: await readD1Migrations("./migrations") } },
    verbose: false,
  }));

const nodeOnly = ["test/**/*.test.ts"];

export default defineConfig({
  test: {
    coverage: {
      provider: "istanbul",
      include: ["src/kernel/**/*.ts", "src/policy/**/*.ts"],
      reporter: ["text-summary", "json", "text"],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
    projects: [
      {
        test: {
          name: "node",
          include: nodeOnly,
          exclude: ["test/**/*.workers.test.ts", "test/crash/**", "test/kernel/**", "test/policy/**"],
        },
      },
      {
        plugins: [workers()],
        test: { name: "workers", include: ["test/**/*.workers.test.ts"], setupFiles: ["./test/support/d1.ts"] },
      },
      { test: { name: "kernel-node", include: ["test/kernel/**/*.test.ts", "test/policy/**/*.test.ts"] } },
      {
        plugins: [workers()],
        test: { name: "kernel-workers", include: ["test/kernel/**/*.test.ts", "test/policy/**/*.test.ts"] },
      },
    ],
  },
});
