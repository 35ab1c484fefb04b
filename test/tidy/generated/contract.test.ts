// The contract has everything of the description that a client's code depends on, and none of its texts.
import { expect, it } from "vitest";
import { withoutTexts } from "./contract.ts";

it("leaves texts out wherever the description has them", () => {
  const operation = { summary: "Reads it", description: "Of now.", operationId: "read" };
  expect(withoutTexts({ info: { title: "A", version: "1" }, paths: { "/a": { get: operation } } })).toEqual({
    info: { version: "1" },
    paths: { "/a": { get: { operationId: "read" } } },
  });
});

it("keeps fields, headers and schemas that are called like a text's keyword", () => {
  const schema = { properties: { title: { type: "string", title: "Title" }, description: { maxLength: 9 } } };
  expect(withoutTexts({ schemas: { summary: schema } })).toEqual({
    schemas: { summary: { properties: { title: { type: "string" }, description: { maxLength: 9 } } } },
  });
});

it("keeps data as it is, and of examples those without a blank", () => {
  expect(withoutTexts({ default: { title: "a b" }, examples: [{ id: "a" }] })).toEqual({
    default: { title: "a b" },
    examples: [{ id: "a" }],
  });
  expect(withoutTexts({ type: "string", examples: [["a sentence"]] })).toEqual({ type: "string" });
});

it("has one order, whichever order the description has", () => {
  const keys = Object.keys(withoutTexts({ paths: {}, components: {}, info: {} }) as object);
  expect(keys).toEqual(["components", "info", "paths"]);
});
