import { expect, test } from "vitest";
import { nextBatchAt } from "../../../scripts/local/queues/pace.ts";

const settings = { maxBatchSize: 100, maxBatchTimeout: 1, maxRetries: 10 };
const many = Array.from({ length: 250 }, () => 0);

test.each([
  ["nothing waits", { count: 0, oldestAt: 0, begun: [] }, null],
  ["it gathers for the consumer's time", { count: 99, oldestAt: 5_000, begun: [] }, 6_000],
  ["a full batch goes at once", { count: 100, oldestAt: 5_000, begun: [] }, 5_000],
  ["a batch that has just begun is waited for", { count: 100, oldestAt: 5_000, begun: [0, 5_000] }, 5_250],
  ["one that lasts is not", { count: 100, oldestAt: 5_000, begun: [0, 4_000] }, 5_000],
  ["as many are under way as there may be", { count: 100, oldestAt: 5_000, begun: many }, null],
])("%s", (_what, backlog, at) => {
  expect(nextBatchAt(backlog, settings)).toBe(at);
});
