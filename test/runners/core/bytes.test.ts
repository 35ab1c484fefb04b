import { expect, it } from "vitest";
import { base64, base64url, decodeBase64 } from "#runners/core/bytes.ts";

/** Contains every byte value, and is longer than one chunk of the encoder. */
const long = Uint8Array.from({ length: 1_000_003 }, (_, at) => (at * 31 + (at >> 8)) % 256);

it.each([0, 1, 2, 3, 4_095, 4_096, 4_097, long.length])("encodes %i bytes like Node's Buffer", (length) => {
  const bytes = long.subarray(0, length);
  expect(base64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
  expect(base64url(bytes)).toBe(Buffer.from(bytes).toString("base64url"));
});

it("decodes its own output, in either alphabet", () => {
  const bytes = long.subarray(0, 4_097);
  expect(decodeBase64(base64(bytes))).toEqual(Uint8Array.from(bytes));
  expect(decodeBase64(base64url(bytes))).toEqual(Uint8Array.from(bytes));
});
