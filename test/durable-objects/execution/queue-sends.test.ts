// What goes into a queue, of whatever kind: as few calls as hold it all, measured in bytes, and nothing lost on the way.
import { describe, expect, it } from "vitest";
import { sendMeasured, type Sends } from "#objects/execution/queue-sends.ts";
import { QUEUE_DOWN_AFTER_FAILURES, QUEUE_MESSAGE_BYTES_MAX } from "#schema/limits/queues/message-sizes.ts";

/** A queue that refuses groups as it is told to. */
async function sent(
  items: readonly string[],
  refusal: (some: readonly string[]) => string | null,
  more: Partial<Sends<string>> = {},
) {
  const calls: (readonly string[])[] = [];
  let failures = 0;
  const send = async (some: readonly string[]): Promise<void> => {
    const why = refusal(some);
    if (why !== null) {
      failures += 1;
      throw new Error(why);
    }
    calls.push(some);
  };
  const result = await sendMeasured({ items, send, bytesMax: 1_000, countMax: 100, halves: false, ...more });
  return { ...result, calls, failures };
}

const letters = Array.from({ length: 20 }, (_, n) => String.fromCharCode(97 + n));
const nothing = (): null => null;

describe("messages for a queue", () => {
  it("go in their order, as many in a call as it takes of them", async () => {
    const { calls } = await sent(letters, nothing, { countMax: 8 });
    expect(calls.map((some) => some.join(""))).toEqual(["abcdefgh", "ijklmnop", "qrst"]);
  });

  it("are measured in bytes: a character may be three", async () => {
    // 2 quotes and 300 bytes each, and a comma between them.
    const { calls } = await sent(
      Array.from({ length: 7 }, () => "客".repeat(100)),
      nothing,
    );
    expect(calls.map((some) => some.length)).toEqual([3, 3, 1]);
  });

  it("that no queue takes are not tried, and keep no other", async () => {
    const monster = "客".repeat(QUEUE_MESSAGE_BYTES_MAX / 3);
    const { calls, impossible, failures } = await sent(["a", monster, "b"], nothing);
    expect([calls, impossible, failures]).toEqual([[["a", "b"]], [monster], 0]);
  });

  it("that are refused for their size are halved, whoever has measured them", async () => {
    const { calls, impossible, left } = await sent(letters, (some) =>
      some.includes("m") ? "Payload Too Large" : null,
    );
    expect(calls.flat().join("")).toBe(letters.join("").replace("m", ""));
    expect([impossible, left]).toEqual([["m"], []]);
  });

  it("that are refused without a word are left for later, and the calls after them are made", async () => {
    const { calls, left, failures } = await sent(letters, (some) => (some.includes("a") ? "internal error" : null), {
      countMax: 5,
    });
    expect([calls.flat().length, left.join(""), failures]).toEqual([15, "abcde", 1]);
  });

  it("wait where the queue is down: it is not asked for each", async () => {
    const { left, refused, failures } = await sent(letters, () => "Too Many Requests", { countMax: 1 });
    expect([left, refused, failures]).toEqual([letters, [], QUEUE_DOWN_AFTER_FAILURES]);
  });

  it("are not blamed for an outage, when they are halved and nothing gets through", async () => {
    const { left, refused, failures } = await sent(letters, () => "internal error", { halves: true });
    expect([left.toSorted(), refused]).toEqual([letters, []]);
    expect(failures).toBeLessThan(15);
  });

  it("are blamed alone: one that is refused by itself, with an empty message getting through", async () => {
    const { calls, left, refused } = await sent(["a"], (some) => (some.length > 0 ? "internal error" : null), {
      halves: true,
    });
    expect([calls, left, refused]).toEqual([[[]], [], ["a"]]);
  });
});
