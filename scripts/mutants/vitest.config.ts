// The project `kernel-node` by itself: without the runtimes of the others it begins three times as fast.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    isolate: false,
    maxWorkers: 1,
    include: ["test/kernel/**/*.test.ts", "test/policy/**/*.test.ts"],
  },
});
