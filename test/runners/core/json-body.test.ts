// Tests of JSON bodies with files: the body must equal the text of JSON.stringify.
import { expect, it } from "vitest";
import { base64Length, jsonBody } from "#runners/core/json-body.ts";

const read = (body: string | Uint8Array) => (typeof body === "string" ? body : new TextDecoder().decode(body));

it.each([0, 1, 2, 3, 4, 255, 256, 257])("writes files of %i bytes as base64 within the JSON", (length) => {
  const file = Uint8Array.from({ length }, (_, n) => (n * 83) % 256);
  const base64 = Buffer.from(file).toString("base64");
  const body = jsonBody({ name: 'é"\\\u2028', files: [{ content: file, type: "a" }, { content: file }], end: null });
  expect(read(body)).toBe(
    JSON.stringify({ name: 'é"\\\u2028', files: [{ content: base64, type: "a" }, { content: base64 }], end: null }),
  );
  expect(base64Length(file)).toBe(base64.length);
});

it("returns a text if there are no files", () => {
  expect(jsonBody({ a: [1, "b"] })).toBe('{"a":[1,"b"]}');
});
