import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { filterNames, tagNames } from "#kernel/language/liquid.ts";
import { render, templateFindings } from "#kernel/language/render.ts";
import type { Json } from "#schema/json.ts";
import { fillSecrets } from "#schema/secret-slots.ts";

describe("whatever the template", () => {
  const path = fc.constantFrom(
    "a",
    "a.b",
    "secrets.k",
    "constructor",
    "a.__proto__",
    "list",
    "list[0]",
    "x",
    "'t'",
    "5",
    "list.size",
    "nil",
  );
  const filter = fc
    .tuple(fc.constantFrom(...filterNames, "sample", "constructor"), fc.array(path, { maxLength: 2 }))
    .map(([name, args]) => (args.length === 0 ? name : `${name}: ${args.join(", ")}`));
  const output = fc
    .tuple(path, fc.array(filter, { maxLength: 3 }))
    .map(([first, filters]) => `{{ ${[first, ...filters].join(" | ")} }}`);
  const tag = fc
    .tuple(fc.constantFrom(...tagNames, "include", "liquid"), path, output)
    .map(
      ([name, operand, inside]) =>
        `{% ${name} ${name === "for" ? "x in " : name === "assign" ? "x = " : ""}${operand} %}${inside}` +
        `{% end${name} %}`,
    );
  const text = fc.array(fc.oneof(output, tag, fc.string()), { maxLength: 4 }).map((parts) => parts.join(""));
  const data = { a: { b: "{{secrets.k}}", $secret: ["x"] }, list: [1, [2]], constructor: { name: "x" } };

  test("it gives JSON or a sentence, the same each time, and changes nothing", () => {
    fc.assert(
      fc.property(text, (each) => {
        const before = JSON.stringify(data);
        const result = render({ each }, data);
        expect(result).toEqual(render({ each }, data));
        expect(JSON.parse(JSON.stringify(result))).toEqual(result);
        expect(JSON.stringify(data)).toBe(before);
        if (result.ok) expect(fillSecrets(result.value, { k: "v" }).ok).toBe(true);
        if (templateFindings(each, "").length > 0) expect(result.ok).toBe(false);
      }),
      { numRuns: 2_000 },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test("frozen and filled again, any JSON without templates is itself", () => {
    const key = fc.oneof(fc.constantFrom("$secret", "$$secret", "__proto__", "name"), fc.string());
    const { json } = fc.letrec<{ json: Json }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<Json>(null, true, 1, "{{secrets.k}}", "x"),
        fc.array(tie("json"), { maxLength: 3 }),
        fc.dictionary(key, tie("json"), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(json, (value) => {
        const frozen = render("{{ value }}", { value });
        expect(frozen.ok && fillSecrets(frozen.value, { k: "v" })).toEqual({ ok: true, value });
      }),
    );
  });
});
