import { expect, it } from "vitest";
import { base64, base64url, bytesOf } from "#runners/core/bytes.ts";

/** Every value of a byte, and more of them than are put into text at once. */
const long = Uint8Array.from({ length: 1_000_003 }, (_, at) => (at * 31 + (at >> 8)) % 256);

it.each([0, 1, 2, 3, 4_095, 4_096, 4_097, long.length])("encodes %i bytes like Node's Buffer", (length) => {
  const bytes = long.subarray(0, length);
  expect(base64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
  expect(base64url(bytes)).toBe(Buffer.from(bytes).toString("base64url"));
});

it("decodes its own output, in either alphabet", () => {
  const bytes = long.subarray(0, 4_097);
  expect(bytesOf(base64(bytes))).toEqual(Uint8Array.from(bytes));
  expect(bytesOf(base64url(bytes))).toEqual(Uint8Array.from(bytes));
});
