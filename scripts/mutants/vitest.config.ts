// The project `kernel-node` by itself: without the runtimes of the others it begins three times as fast.
import { defineConfig } from "vitest/config";

/** As in the project itself: on a busy machine seconds become many. */
const PATIENCE_MS = 30_000;

export default defineConfig({
  test: {
    isolate: false,
    testTimeout: PATIENCE_MS,
    maxWorkers: 1,
    include: ["test/kernel/**/*.test.ts", "test/policy/**/*.test.ts"],
  },
});
