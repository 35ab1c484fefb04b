// The bytes of a body, as they came.
import { describe, expect, it } from "vitest";
import { readRaw } from "#routes/http/raw-body.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("a raw body", () => {
  const stream = (...parts: string[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of parts) controller.enqueue(bytes(part));
        controller.close();
      },
    });

  it("is what came, byte by byte", async () => {
    expect(await readRaw(stream("\ufeff{", '"a":1}'), 100)).toEqual(bytes('\ufeff{"a":1}'));
    expect(await readRaw(null, 100)).toEqual(new Uint8Array());
  });

  it("is none above the limit", async () => {
    expect(await readRaw(stream("1234", "5"), 5)).toEqual(bytes("12345"));
    expect(await readRaw(stream("1234", "56"), 5)).toBeNull();
  });
});
