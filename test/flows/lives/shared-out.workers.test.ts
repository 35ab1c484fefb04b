// A batch that is larger than a consumer's places, carried out in several invocations of the Worker itself.
import { expect, it, onTestFinished } from "vitest";
import { chain, engine, provider } from "#test/flows/engine.ts";
import { deliver, holdActions } from "#test/flows/queues.ts";
import { QueueWork } from "../../../src/index.ts";

type Share = typeof QueueWork.prototype.share;

/** How many messages each share had; the one with this execution's dies. */
function sharesOf(dies: () => string | null): number[] {
  const sizes: number[] = [];
  const real: Share = QueueWork.prototype.share;
  const counted: Share = function (this: QueueWork, messages) {
    sizes.push(messages.length);
    const killed = dies();
    if (killed !== null && JSON.stringify(messages).includes(killed)) throw new Error("it used up its CPU time");
    return real.call(this, messages);
  };
  Reflect.set(QueueWork.prototype, "share", counted);
  onTestFinished(() => void Reflect.set(QueueWork.prototype, "share", real));
  return sizes;
}

it.each(["own", "pooled"])("executions of a large batch each go their way, once: %s", async (placement) => {
  const held = holdActions();
  const { calls } = provider();
  const shop = await engine(chain("steps", ["reserve", "charge"], { placement, lane: "queue" }));
  const ids = await Promise.all(Array.from({ length: 13 }, () => shop.start("steps")));
  const sizes = sharesOf(() => null);
  const { explicitAcks } = await deliver("actions", held.messages);
  expect([sizes.length, sizes.reduce((sum, size) => sum + size, 0)]).toEqual([3, 13]);
  expect(explicitAcks).toHaveLength(13);
  for (const id of ids) expect(await shop.read(id)).toMatchObject({ status: "completed" });
  expect(calls).toHaveLength(2 * 13);
  expect(new Set(calls.map(({ key }) => key)).size).toBe(2 * 13);
});

it("a share that dies brings its own messages again, and the others are let go", async () => {
  const held = holdActions();
  provider();
  const shop = await engine(chain("steps", ["reserve"], { lane: "queue" }));
  const ids = await Promise.all(Array.from({ length: 12 }, () => shop.start("steps")));
  let killed = ids[0] ?? null;
  const sizes = sharesOf(() => killed);
  const { explicitAcks, retryMessages } = await deliver("actions", held.messages);
  expect(sizes).toEqual([6, 6]);
  expect([explicitAcks.length, retryMessages.length]).toEqual([6, 6]);
  killed = null;
  const again = retryMessages.flatMap(({ msgId }) => held.messages[Number(msgId)] ?? []);
  await deliver("actions", again, 2);
  for (const id of ids) expect(await shop.read(id)).toMatchObject({ status: "completed" });
});
