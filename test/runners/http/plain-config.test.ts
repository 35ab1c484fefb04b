// Property test of the fast config parser: its result must equal the schema's.
import fc from "fast-check";
import { expect, it } from "vitest";
import { webhook } from "#runners/http/webhook.ts";
import type { JsonObject } from "#schema/json.ts";

const url = "https://hooks.example.com/a?b=1";
const plain = (config: JsonObject) => webhook.plain?.(config) ?? null;

it.each<[string, JsonObject]>([
  ["an address and a payload", { url, payload: { ref: "r1", list: [1, null, true] } }],
  ["a text as payload", { url, payload: "as it is" }],
  ["null as payload", { url, payload: null }],
  ["a method that takes a payload", { url, method: "DELETE", payload: {} }],
])("parses %s without the schema", (_name, config) => {
  expect(plain(config)).toEqual(webhook.config.parse(config));
});

it.each<[string, JsonObject]>([
  ["no payload", { url }],
  ["a method without a payload", { url, method: "GET", payload: {} }],
  ["a method that nobody knows", { url, method: "BREW", payload: {} }],
  ["a method that is null", { url, method: null, payload: {} }],
  ["headers", { url, payload: {}, headers: { Host: "elsewhere" } }],
  ["a field that nobody knows", { url, payload: {}, paylod: {} }],
  ["an address that is relative", { url: "/hook", payload: {} }],
  ["an address that is a number", { url: 1, payload: {} }],
  ["no address", { payload: {} }],
])("leaves %s to the schema", (_name, config) => {
  expect(plain(config)).toBeNull();
});

it("never differs from the schema's result", () => {
  const value = fc.oneof(fc.jsonValue(), fc.webUrl(), fc.constantFrom("POST", "PUT", "PATCH", "GET"));
  const name = fc.constantFrom("url", "method", "payload", "encoding", "sign");
  fc.assert(
    fc.property(fc.dictionary(name, value), fc.webUrl(), (given, address) => {
      const config = { url: address, payload: {}, ...given } as JsonObject; // the generated fields are JSON
      const taken = plain(config);
      if (taken !== null) expect(taken).toEqual(webhook.config.parse(config));
    }),
  );
});
