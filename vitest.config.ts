// Two runtimes, told apart by the file name: *.test.ts runs in Node, *.workers.test.ts in workerd.
// Kernel tests run in Node, and a tenth of them in workerd too: purity is checked by lint, and the sample finds a
// difference between the runtimes. `npm run check -- long` runs all of them in workerd (WHOLE_KERNEL=true).
// Loading the modules takes far longer than testing them, so the files that one worker runs share them, and what is
// stored. A file that needs a world of its own says so in its name: *.alone.workers.test.ts.
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { buildSync } from "esbuild";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { unstable_readConfig } from "wrangler";

const GATHERS_FOR_SECONDS = 0.05;
/** Crowds are computed, not waited for: on a busy machine seconds become many. What hangs is still found. */
const PATIENCE_MS = 30_000;
/** What is awaited says what it waits for in vain: that comes first. */
const WORKERS_PATIENCE_MS = 2 * PATIENCE_MS;

const workers = (more: { readonly queueConsumers?: typeof hurried } = {}) =>
  cloudflareTest(async () => ({
    wrangler: { configPath: "./wrangler.toml" },
    miniflare: {
      compatibilityFlags: [],
      // Optional in wrangler.toml, so not there.
      r2Buckets: ["ATTACHMENTS"],
      serviceBindings: { SHOP: "shop-worker", MISBEHAVING: "misbehaving-worker" },
      workers: [
        auxiliary("shop-worker", "examples/shop-worker/worker.ts"),
        auxiliary("misbehaving-worker", "test/runners/misbehaving/misbehaving-worker.ts", ["MISBEHAVING"]),
      ],
      bindings: {
        // Here, and not set by a test: what is made of the bindings is made once, by whichever file comes first.
        ROOT_KEY: "root-key-of-the-flow-tests",
        SECRETS_KEYS: `k1:${btoa("k".repeat(32))}`,
        TEST_MIGRATIONS: await readD1Migrations("./migrations"),
        ACTION_SERVICES: "shop=SHOP",
        RECORD_STATEMENTS: process.env.RECORD_STATEMENTS ?? "",
        HOSTILE_SEEDS: process.env.HOSTILE_SEEDS ?? "",
      },
      ...more,
    },
    verbose: false,
  }));

/** A Worker that is bound to the engine as a service. `own` names its bindings to itself. */
function auxiliary(name: string, entryPoint: string, own: readonly string[] = []) {
  const [bundled] = buildSync({
    entryPoints: [entryPoint],
    bundle: true,
    write: false,
    format: "esm",
    external: ["cloudflare:*"],
  }).outputFiles;
  const serviceBindings = Object.fromEntries(own.map((binding) => [binding, name]));
  const compatibilityDate = unstable_readConfig({ config: "./wrangler.toml" }).compatibility_date ?? "";
  return { name, modules: true, script: bundled?.text ?? "", compatibilityDate, serviceBindings };
}

/** What wrangler.toml says of each; wrangler's own type of it is `any`. */
type Consumer = {
  readonly queue: string;
  readonly max_batch_size: number;
  readonly max_batch_timeout: number;
  readonly max_retries: number;
  readonly dead_letter_queue?: string;
};
const consumers: readonly Consumer[] = unstable_readConfig({ config: "./wrangler.toml" }).queues.consumers ?? [];

/** As wrangler.toml has them, but that none waits for more messages: production gathers for seconds. */
const hurried = Object.fromEntries(
  consumers.map(({ queue, dead_letter_queue: deadLetterQueue, ...consumer }) => [
    queue,
    {
      maxBatchSize: consumer.max_batch_size,
      maxBatchTimeout: Math.min(consumer.max_batch_timeout, GATHERS_FOR_SECONDS),
      maxRetries: consumer.max_retries,
      ...(deadLetterQueue === undefined ? {} : { deadLetterQueue }),
    },
  ]),
);

const kernel = ["test/kernel/**/*.test.ts", "test/policy/**/*.test.ts"];
const kernelInWorkerd = process.env.WHOLE_KERNEL === "true" ? kernel : ["test/kernel", "test/policy"].flatMap(sampleOf);
const flows = ["test/flows/**/*.workers.test.ts"];
/** Tests that start processes (the local engine, a chain, workerd) and mostly wait for them. */
const engine = ["test/local/**/*.test.ts", "test/chain/**/*.test.ts", "test/runners/misbehaving/**/*.test.ts"];
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
          testTimeout: PATIENCE_MS,
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.workers.test.ts", ...kernel, ...engine],
        },
      },
      { test: { ...shared, name: "engine", testTimeout: PATIENCE_MS, include: engine } },
      {
        plugins: [workers({ queueConsumers: hurried })],
        test: {
          ...shared,
          name: "workers",
          testTimeout: WORKERS_PATIENCE_MS,
          hookTimeout: WORKERS_PATIENCE_MS,
          include: ["test/**/*.workers.test.ts"],
          exclude: ["test/**/*.alone.workers.test.ts", ...flows],
          setupFiles: ["./test/support/d1.ts", "./test/support/record-statements.ts"],
        },
      },
      {
        plugins: [workers({ queueConsumers: hurried })],
        test: {
          ...shared,
          name: "workers-flows",
          testTimeout: WORKERS_PATIENCE_MS,
          hookTimeout: WORKERS_PATIENCE_MS,
          include: flows,
          exclude: ["test/**/*.alone.workers.test.ts"],
          setupFiles: ["./test/support/d1.ts"],
        },
      },
      {
        plugins: [workers()],
        test: {
          name: "workers-alone",
          testTimeout: WORKERS_PATIENCE_MS,
          hookTimeout: WORKERS_PATIENCE_MS,
          maxWorkers: 1,
          include: ["test/**/*.alone.workers.test.ts"],
          setupFiles: ["./test/support/d1.ts"],
        },
      },
      { test: { ...shared, name: "kernel-node", include: kernel, testTimeout: PATIENCE_MS } },
      {
        plugins: [workers()],
        test: { ...shared, name: "kernel-workers", include: kernelInWorkerd, testTimeout: PATIENCE_MS },
      },
    ],
  },
});

/** A tenth of a folder's tests, chosen by a digest of the path, so that the choice is stable. */
function sampleOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => `${folder}/${String(name).replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".test.ts"))
    .filter((path) => (createHash("sha256").update(path).digest()[0] ?? 0) % 10 === 0);
}
