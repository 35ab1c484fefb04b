// What goes into a queue goes there measured in bytes: one file binds the queues, and only measured sends use what it binds.
import { expect, it } from "vitest";
import { read, sources, under } from "./tree.ts";

const product = sources.filter((path) => under("src")(path) || under("durable-objects")(path));
const binds = "durable-objects/execution/execution.ts";
/** One row of bounded size, and nothing else. */
const tells = "durable-objects/recurring/recurring.ts";
/** The consumer's way back into the queues of actions: measured on the spot. */
const sendsBack = "src/index.ts";

it("queues are bound in one file of each object that tells, and nobody else sends to them but who gives back", () => {
  const senders = product.filter((path) => /\.sendBatch\(|\.(?:ACTIONS|PROJECTIONS)\w*\s*\.send/.test(read(path)));
  expect(senders.toSorted()).toEqual([binds, tells, sendsBack]);
  expect(read(tells)).toMatch(/bytesOf\(message\) > QUEUE_MESSAGE_BYTES_MAX/);
  expect(read(sendsBack)).toMatch(/await sendMeasured\(\{ items, send,/);
});

it("what is bound there is used for measured sends alone: as `send` of sendMeasured", () => {
  const users = product.filter((path) => /\.send(?:Actions|Signals|Projection)\w*\(/.test(read(path)));
  expect(users.length).toBeGreaterThan(0);
  for (const path of users) {
    const text = read(path);
    expect(text, path).toContain("sendMeasured");
    // Each call is the body of a function that is handed on; none is awaited or caught on the spot.
    const calls = text.match(/.*\.send(?:Actions|Signals|Projection)\w*\(.*/g) ?? [];
    expect(calls.filter((line) => !/\(\w+\) => \w+\.send\w+\(/.test(line))).toEqual([]);
  }
});
