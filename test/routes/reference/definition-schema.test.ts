// The JSON Schema for editors, checked with ajv: it accepts every definition in docs and examples, and finds the
// mistakes that an editor should underline.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, it, test } from "vitest";
import { definitionSchema } from "#routes/reference/definition-schema.ts";
import { actionTypes } from "#runners/registry.ts";
import { definition } from "#schema/definition/definition.ts";
import type { JsonObject } from "#schema/json.ts";

const root = join(import.meta.dirname, "../../..");
const text = (path: string): string => readFileSync(join(root, path), "utf8");
const schema = definitionSchema(actionTypes);
// Strict: ajv refuses unknown keywords and keywords without effect.
const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(schema, "definition");
const isDefinition = ajv.getSchema("definition") ?? failed("the schema is not there");

/** Pointers to the findings in the definition. */
function findingsOf(body: unknown): readonly string[] {
  isDefinition(body);
  const { errors } = isDefinition;
  return (errors ?? []).map(({ instancePath, params }) => {
    const { additionalProperty: extra } = params as { readonly additionalProperty?: string }; // ajv's own parameter of this keyword
    return extra === undefined ? instancePath : `${instancePath}/${extra}`;
  });
}

/** All files below the folder, each by its path. */
const under = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });

const examples = under("examples")
  .filter((name) => name.endsWith(".json"))
  .map((name) => [name, JSON.parse(text(`examples/${name}`)) as JsonObject] as const)
  .filter(([, body]) => "kind" in body);

const pages = ["README.md", ...under("docs").map((name) => `docs/${name}`)].filter((page) => page.endsWith(".md"));
const shown = pages.flatMap((page) => {
  const blocks = text(page).match(/^\{\n {2}"kind": "(?:machine|reconciler)"[\s\S]*?^\}$/gm) ?? [];
  return blocks.map((block, n) => [`${page} ${n + 1}`, JSON.parse(block) as JsonObject] as const);
});
it.each([...examples, ...shown])("accepts %s", (_name, body) => {
  expect(findingsOf(body)).toEqual([]);
});

/** Complete actions and configs in the docs. */
const configs = text("docs/reference/action-types.md")
  .split(/^## /m)
  .flatMap((section) => {
    const type = /^`(\w+)`/.exec(section)?.[1];
    const blocks = [...section.matchAll(/```json[^\n]*\n([\s\S]*?)```/g)].map(([, json = ""]) => JSON.parse(json));
    return type === undefined ? [] : blocks.map((block) => [block.type ?? type, block.config ?? block] as const);
  });

it.each(configs)("accepts the documented config of %s", (type, config) => {
  expect(findingsOf(withAction({ actionId: "one", type, config }))).toEqual([]);
});

it.each(Object.keys(actionTypes))("describes the config of %s", (type) => {
  const refused = findingsOf(withAction({ actionId: "one", type, config: { noSuchField: 1 } }));
  expect(refused).toContain("/actions/0/config/noSuchField");
});

test("describes every field of a definition", () => {
  const parts: { readonly [name: string]: unknown } = { Definition: schema, ...(schema.$defs as object) };
  const own = ["Definition", "State", "Transition", "DefinitionAction", "NamedDelay", "RetryPolicy", "RetryRule"];
  expect(own.flatMap((name) => wordless(name, parts[name]))).toEqual([]);
});

test("each example's $schema is the local engine's address", () => {
  for (const [, { $schema }] of examples) expect($schema).toBe("http://localhost:8787/schemas/definition.json");
});

const webhook = { actionId: "one", type: "webhook", config: { url: "https://example.com" } };

describe("reports a mistake", () => {
  it.each([
    ["an unknown kind", { ...withAction(webhook), kind: "flow" }, "/kind"],
    ["no states", { kind: "machine", name: "a" }, ""],
    ["a misspelt field of the definition", { ...withAction(webhook), initail: "a" }, "/initail"],
    ["a name with a capital", { ...withAction(webhook), name: "Order" }, "/name"],
    ["a state with an unknown field", { ...withAction(webhook), states: { a: { onn: {} } } }, "/states/a/onn"],
    ["a transition to a number", { ...withAction(webhook), states: { a: { on: { x: 1 } } } }, "/states/a/on/x"],
    ["a final state misspelt", { ...withAction(webhook), states: { a: { type: "end" } } }, "/states/a/type"],
    [
      "deep down",
      { ...withAction(webhook), states: { a: { states: { b: { types: 1 } } } } },
      "/states/a/states/b/types",
    ],
    ["an unknown action type", withAction({ ...webhook, type: "telegram" }), "/actions/0/type"],
    ["an action without a config", withAction({ actionId: "one", type: "webhook" }), "/actions/0"],
    ["a config without a required field", withAction({ ...webhook, config: {} }), "/actions/0/config"],
    ["a field of another type", withAction({ ...webhook, config: { url: "x", to: "y" } }), "/actions/0/config/to"],
    ["an unknown method", withAction(withConfig({ method: "FETCH" })), "/actions/0/config/method"],
    [
      "a number for a list",
      withAction(withConfig({ expectedStatusCodes: 200 })),
      "/actions/0/config/expectedStatusCodes",
    ],
    [
      "a retry too many",
      withAction({ ...webhook, retryPolicy: { maxAttempts: 0 } }),
      "/actions/0/retryPolicy/maxAttempts",
    ],
    ["a preset misspelt", withAction({ ...webhook, retryPolicy: "emails" }), "/actions/0/retryPolicy"],
    ["a timeout in words", withAction({ ...webhook, timeout: "30s" }), "/actions/0/timeout"],
    ["a time zone that is a number", { ...withAction(webhook), timezone: 1 }, "/timezone"],
    [
      "a delay with a word too many",
      { ...withAction(webhook), delays: { d: { offsett: "P1D" } } },
      "/delays/d/offsett",
    ],
    ["an invalid retention", { ...withAction(webhook), retention: "a year" }, "/retention"],
  ])("%s", (_what, body, pointer) => {
    expect(findingsOf(body)).toContain(pointer);
    // The schema is no stricter than the engine: the engine refuses all that the schema refuses.
    const parsed = definition.safeParse(body);
    const isOfConfig = pointer.startsWith("/actions/0/config") || pointer === "/actions/0/type";
    if (!isOfConfig) expect(parsed.success).toBe(false);
  });
});

test("a template may replace any value of a config", () => {
  const config = {
    url: "{{ secrets.hook }}",
    method: "{{ execution.variables.method }}",
    sign: "{% if a %}x{% endif %}",
  };
  expect(findingsOf(withAction({ ...webhook, config }))).toEqual([]);
});

/** Fields without a description. */
function wordless(name: string, part: unknown): readonly string[] {
  type Fields = { readonly [field: string]: { readonly description?: string } };
  const { properties, allOf } = part as {
    readonly properties?: Fields;
    readonly allOf?: readonly { properties?: Fields }[];
  };
  const fields = Object.entries(properties ?? allOf?.[0]?.properties ?? {});
  return fields.filter(([, { description }]) => description === undefined).map(([field]) => `${name}.${field}`);
}

function withConfig(more: object) {
  return { ...webhook, config: { ...webhook.config, ...more } };
}

function withAction(action: object) {
  return { kind: "machine", name: "a", initial: "a", states: { a: {} }, actions: [action] };
}

function failed(message: string): never {
  throw new Error(message);
}
