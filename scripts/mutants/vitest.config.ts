// Vitest configuration for mutants: the project `kernel-node` and the sentence tables only. Without the other runtimes
// it starts three times as fast.
import { defineConfig } from "vitest/config";

/** The time limit of a test in milliseconds, as in the project `kernel-node`. */
const PATIENCE_MS = 30_000;

export default defineConfig({
  test: {
    isolate: false,
    testTimeout: PATIENCE_MS,
    maxWorkers: 1,
    // The sentence tables detect mistakes in texts, which the kernel's tests do not assert.
    include: ["test/kernel/**/*.test.ts", "test/policy/**/*.test.ts", "test/golden/sentences/**/*.test.ts"],
  },
});
