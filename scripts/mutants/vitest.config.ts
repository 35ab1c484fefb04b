// The project `kernel-node` and the tables of sentences: without the runtimes of the others it begins three times as fast.
import { defineConfig } from "vitest/config";

/** As in the project itself: on a busy machine seconds become many. */
const PATIENCE_MS = 30_000;

export default defineConfig({
  test: {
    isolate: false,
    testTimeout: PATIENCE_MS,
    maxWorkers: 1,
    // Tables of sentences notice a mistake in a text, which tests of the kernel do not assert.
    include: ["test/kernel/**/*.test.ts", "test/policy/**/*.test.ts", "test/golden/sentences/**/*.test.ts"],
  },
});
