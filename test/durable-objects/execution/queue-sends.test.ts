// Tests sends to a queue: as few calls as possible, measured in bytes, and no lost message.
import { describe, expect, it } from "vitest";
import { sendMeasured, type Sends } from "#objects/execution/queue-sends.ts";
import { QUEUE_DOWN_AFTER_FAILURES, QUEUE_MESSAGE_BYTES_MAX } from "#schema/limits/queues/message-sizes.ts";

/** Sends messages to a mocked queue that refuses the given batches. */
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
  it("are sent in order, in as few calls as the limits allow", async () => {
    const { calls } = await sent(letters, nothing, { countMax: 8 });
    expect(calls.map((some) => some.join(""))).toEqual(["abcdefgh", "ijklmnop", "qrst"]);
  });

  it("are measured in bytes of UTF-8", async () => {
    // Each message has 300 bytes and 2 quotes, and a comma separates messages.
    const { calls } = await sent(
      Array.from({ length: 7 }, () => "客".repeat(100)),
      nothing,
    );
    expect(calls.map((some) => some.length)).toEqual([3, 3, 1]);
  });

  it("above the size limit are not sent, and do not block others", async () => {
    const monster = "客".repeat(QUEUE_MESSAGE_BYTES_MAX / 3);
    const { calls, impossible, failures } = await sent(["a", monster, "b"], nothing);
    expect([calls, impossible, failures]).toEqual([[["a", "b"]], [monster], 0]);
  });

  it("that are refused for their size are halved", async () => {
    const { calls, impossible, left } = await sent(letters, (some) =>
      some.includes("m") ? "Payload Too Large" : null,
    );
    expect(calls.flat().join("")).toBe(letters.join("").replace("m", ""));
    expect([impossible, left]).toEqual([["m"], []]);
  });

  it("that are refused for another reason are left, and later batches are sent", async () => {
    const { calls, left, failures } = await sent(letters, (some) => (some.includes("a") ? "internal error" : null), {
      countMax: 5,
    });
    expect([calls.flat().length, left.join(""), failures]).toEqual([15, "abcde", 1]);
  });

  it("are left while the queue is down, without a call for each", async () => {
    const { left, refused, failures } = await sent(letters, () => "Too Many Requests", { countMax: 1 });
    expect([left, refused, failures]).toEqual([letters, [], QUEUE_DOWN_AFTER_FAILURES]);
  });

  it("are not refused for an outage, if halving accepts nothing", async () => {
    const { left, refused, failures } = await sent(letters, () => "internal error", { halves: true });
    expect([left.toSorted(), refused]).toEqual([letters, []]);
    expect(failures).toBeLessThan(15);
  });

  it("are refused alone, if an empty batch is accepted", async () => {
    const { calls, left, refused } = await sent(["a"], (some) => (some.length > 0 ? "internal error" : null), {
      halves: true,
    });
    expect([calls, left, refused]).toEqual([[[]], [], ["a"]]);
  });
});
