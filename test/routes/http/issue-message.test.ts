// Issue messages: every schema of the API is given wrong values, and no finding contains the schema library's words.
import { expect, it } from "vitest";
import { z } from "zod";
import { createApp } from "#routes/app.ts";
import { actionTypes, runnerFor } from "#runners/registry.ts";
import { definition } from "#schema/definition/definition.ts";
import { zodFindings } from "#schema/findings.ts";

const app = createApp(() => {
  throw new Error("this test sends no request");
});

type Schema = z.core.$ZodType;

/** The schemas of all requests, of definitions, and of the configs of all action types. */
function requestSchemas(): readonly Schema[] {
  const routes = app.openAPIRegistry.definitions.flatMap((each) =>
    each.type === "route" && "route" in each ? [each.route] : [],
  );
  const sent = routes.flatMap(({ request }) => {
    const bodies = Object.values(request?.body?.content ?? {}).map((content) =>
      content !== undefined && "schema" in content ? content.schema : null,
    );
    return [request?.query, request?.params, ...bodies].filter((schema) => schema instanceof z.ZodType);
  });
  const configs = Object.keys(actionTypes).map((type) => runnerFor(type)?.config ?? z.never());
  return [...sent, definition, ...configs];
}

function within(schema: Schema, seen: Set<Schema> = new Set()): ReadonlySet<Schema> {
  if (seen.has(schema)) return seen;
  seen.add(schema);
  for (const part of partsOf(schema)) within(part, seen);
  return seen;
}

function partsOf(schema: Schema): readonly Schema[] {
  if (schema instanceof z.ZodObject) return Object.values(schema.shape as Record<string, Schema>);
  if (schema instanceof z.ZodArray) return [schema.element];
  if (schema instanceof z.ZodRecord) return [schema.keyType, schema.valueType];
  if (schema instanceof z.ZodUnion) return schema.options;
  if (schema instanceof z.ZodPipe) return [schema.in]; // the other side is a transform, which needs a valid value
  return "unwrap" in schema && typeof schema.unwrap === "function" ? [schema.unwrap() as Schema] : []; // each wrapper returns the schema inside
}

const long = "x".repeat(70_000);
const wrong: readonly unknown[] = [
  ...[undefined, null, true, "", " ", "no such word", "5", long],
  ...[Number.NaN, -1, 0, 0.5, 7, 1e300, Number.MAX_SAFE_INTEGER + 2],
  ...[[], [1], [{}, null], Array.from({ length: 300 }, () => "x")],
  ...[{}, { "no such field": 1 }, { type: "no such type", kind: "machin" }, { __proto: 1, "": 2 }],
];

const LIBRARY_WORDS =
  /Too (small|big)|\bInvalid\b|expected .*received|Unrecognized|discriminator|\bundefined\b|\bNaN\b|the pattern|the format/;

it("no finding about any value has the schema library's words", () => {
  const schemas = new Set(requestSchemas().flatMap((schema) => [...within(schema)]));
  const messages = new Map<string, string>();
  for (const schema of schemas) {
    const holder = z.object({ it: schema });
    for (const value of wrong) {
      const parsed = holder.safeParse({ it: value });
      const found = parsed.success ? [] : zodFindings(parsed.error, holder, { it: value });
      for (const { pointer, message, hint = "" } of found) messages.set(`${message} ${hint}`, pointer);
    }
  }

  expect(schemas.size).toBeGreaterThan(1_000);
  expect(messages.size).toBeGreaterThan(100);
  expect([...messages].filter(([message]) => LIBRARY_WORDS.test(message))).toEqual([]);
});
