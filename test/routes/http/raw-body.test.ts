// Raw bodies: the bytes as sent, and refusals of bodies that are too large or end early.
import { describe, expect, it, vi } from "vitest";
import { readRaw } from "#routes/http/raw-body.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function post(body: BodyInit | null, headers: Record<string, string> = {}): Request {
  const streamed = body instanceof ReadableStream ? { duplex: "half" } : {};
  return new Request("https://h.example/", { method: "POST", body, headers, ...streamed });
}

function stream(...parts: readonly (string | Error)[]): ReadableStream<Uint8Array> {
  const left = [...parts];
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      const part = left.shift();
      if (part === undefined) {
        controller.close();
        // Responds to a waiting read with zero bytes, because the body ends here.
        controller.byobRequest?.respond(0);
      } else if (typeof part === "string") controller.enqueue(bytes(part));
      else controller.error(part);
    },
  });
}

describe("a raw body", () => {
  it("has the bytes as sent", async () => {
    expect(await readRaw(post(stream("\ufeff{", '"a":1}')), 100)).toEqual({ ok: true, bytes: bytes('\ufeff{"a":1}') });
    expect(await readRaw(post("{}", { "Content-Length": "2" }), 100)).toEqual({ ok: true, bytes: bytes("{}") });
    expect(await readRaw(post(null), 100)).toEqual({ ok: true, bytes: new Uint8Array() });
  });

  it("is refused above the limit, whatever Content-Length says", async () => {
    const tooLarge = { code: "body_too_large", details: { field: "body", limit: 5 } };
    expect(await readRaw(post(stream("1234", "5")), 5)).toEqual({ ok: true, bytes: bytes("12345") });
    expect(await readRaw(post(stream("1234", "56")), 5)).toMatchObject({ ok: false, refusal: tooLarge });
    expect(await readRaw(post("123456", { "Content-Length": "2" }), 5)).toMatchObject({ refusal: tooLarge });
    const untouched = stream(new Error("read though it was said to be too large"));
    const size = { details: { size: 6 } };
    expect(await readRaw(post(untouched, { "Content-Length": "6" }), 5)).toMatchObject({ refusal: size });
  });

  it("is read in large pieces, however small its chunks are", async () => {
    const reads: number[] = [];
    const read = ReadableStreamBYOBReader.prototype.read;
    const counted = vi.spyOn(ReadableStreamBYOBReader.prototype, "read").mockImplementation(function (
      this: never,
      ...args
    ) {
      reads.push(args[0].byteLength);
      return read.apply(this, args);
    });
    const chunks = Array.from({ length: 3_000 }, () => "x".repeat(50));
    expect(await readRaw(post(stream(...chunks)), 200_000)).toMatchObject({ ok: true, bytes: { byteLength: 150_000 } });
    counted.mockRestore();
    expect(reads.length).toBeLessThanOrEqual(4);
  });

  it.each([{}, { "Content-Length": "4" }])("is refused where it breaks off, with %j", async (headers) => {
    const read = await readRaw(post(stream("12", new Error("Network connection lost.")), headers), 100);
    expect(read).toMatchObject({ ok: false, refusal: { code: "body_unreadable" } });
  });
});
