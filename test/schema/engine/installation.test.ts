// What the code says of the queues and of the Worker's name is what wrangler.toml deploys.
import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import { actionQueues, CONSUMER } from "#schema/engine/installation.ts";

const config = unstable_readConfig({ config: "./wrangler.toml" });

test("the queues of actions are consumed as they are said to be", () => {
  const said = actionQueues.map(({ queue, batchSize, batchTimeoutS, retriesMax, deadLetterQueue }) => ({
    queue,
    dead_letter_queue: deadLetterQueue,
    max_batch_size: batchSize,
    max_batch_timeout: batchTimeoutS,
    max_retries: retriesMax,
  }));
  const consumers: readonly { readonly queue: string }[] = config.queues.consumers ?? []; // wrangler's own type is `any`
  expect(consumers.filter(({ queue }) => said.some((one) => one.queue === queue))).toEqual(said);
});

test("the consumer has the Worker's name", () => {
  expect(config.name).toBe(CONSUMER);
});
