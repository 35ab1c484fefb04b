// Values that Liquid would turn into an empty text or zero are faults here: a table of filters and operators.
import { describe, expect, test } from "vitest";
import { filterNames } from "#kernel/language/liquid.ts";
import { render, type RenderResult } from "#kernel/language/render.ts";
import { parseMessage, renderMessage } from "#kernel/language/message-template.ts";
import { completeTemplate } from "#schema/template.ts";
import { naming } from "#test/support/matchers/naming.ts";
import type { FaultCode } from "#kernel/computing/fault.ts";

const scope = {
  nothing: null,
  name: "ada",
  n: 7,
  price: "12.50",
  list: [3, null, 2],
  things: [{ n: 1 }, { n: "2" }, { m: 3 }],
  object: { a: 1 },
  numbers: [1, "2.5"],
  huge: [1e308, 1e308],
};

/** The rendered text, or the code of its failure. */
function come(text: string): unknown {
  const rendered = render(text, scope);
  return rendered.ok ? rendered.value : { code: rendered.code };
}

const fails = (code: FaultCode) => ({ code });
const nothingGiven = fails("filter_input_missing");
const nothingCompared = fails("nothing_compared");
const notANumber = fails("not_a_number");
const notAText = fails("not_a_text");

const mayTakeNothing = new Set(["default", "json", "size"]);

describe("nothing", () => {
  test.each(filterNames.filter((name) => !mayTakeNothing.has(name)))("is refused by %s", (name) => {
    const field = ["find", "has", "reject", "where"].includes(name) ? ": 'n'" : "";
    expect(come(`Dear {{ nothing | ${name}${field} }},`)).toEqual(nothingGiven);
    const { error } = render(`{{ nothing | ${name}${field} }}`, scope) as Extract<RenderResult, { ok: false }>; // the config cannot be rendered
    expect(error.message).toEqual(naming(name));
  });

  test.each([
    ["{{ nothing | default: 'friend' | capitalize }}", "Friend"],
    ["{{ nothing | json }}.", "null."],
    ["{{ nothing | size }}.", "0."],
    ["{{ nope | default: 'friend' | capitalize }}", "Friend"],
    ["{{ name | default: nothing }}.", "ada."],
  ])("is taken by those that are there to be asked about it: %s", (text, value) => {
    expect(come(text)).toBe(value);
  });

  test("is refused where a filter adds it, and looked for where one looks for it", () => {
    expect(come("{{ 'Dear ' | append: nothing }},")).toEqual(nothingGiven);
    expect(come("{{ name | replace: 'a', nothing }}.")).toEqual(nothingGiven);
    expect(come("{{ things | where: 'm', nothing | size }}.")).not.toEqual(nothingGiven);
  });

  test("is refused in variables of a message, too", () => {
    const variables = [{ name: "name", required: false }];
    const message = parseMessage(
      completeTemplate({ name: "hi", subject: "Dear {{ name | capitalize }},", text: "x", variables }),
    );
    const [finding] = renderMessage(message, {}).findings;
    expect(finding).toMatchObject({ pointer: "/subject", code: "not_rendered", message: naming("capitalize") });
  });
});

describe("what is no number", () => {
  const filters = ["at_least", "at_most", "divided_by", "minus", "modulo", "plus", "times"];

  test.each([...filters.map((name) => `${name}: 2`), "abs", "ceil", "floor", "round"])("is refused by %s", (filter) => {
    for (const value of ["name", "''", "true", "object", "list"])
      expect(come(`{{ ${value} | ${filter} }}.`)).toEqual(notANumber);
    expect(come(`{{ n | ${filter} }}.`)).toMatch(/^\d+(\.5)?\.$/);
    expect(come(`{{ price | ${filter} }}.`)).toMatch(/^\d+(\.\d+)?\.$/);
  });

  test.each(filters)("is refused as what %s calculates with", (name) => {
    expect(come(`{{ 1 | ${name}: name }}.`)).toEqual(notANumber);
    expect(come(`{{ 1 | ${name}: nothing }}.`)).toEqual(nothingGiven);
  });

  test.each([
    ["{{ numbers | sum }}.", "3.5."],
    ["{{ things | sum: 'n' }}.", notANumber],
    ["{{ list | sum }}.", notANumber],
    ["{{ n | sum }}.", "7."],
    ["{{ numbers | sum: 'n' }}.", notANumber],
  ])("is refused in a sum: %s", (text, value) => {
    expect(come(text)).toEqual(value);
  });

  test.each([
    "{{ 1 | divided_by: 0 | at_most: 100 }}.",
    "{{ 0 | modulo: 0 }}.",
    "{{ 1 | plus }}.",
    "{{ huge | sum }}.",
  ])("is refused as what comes out: %s", (text) => {
    expect(come(text)).toEqual(fails("not_finite"));
  });
});

describe("what is no text", () => {
  test.each([
    ["{{ object | upcase }}.", notAText],
    ["{{ numbers | append: '!' }}.", notAText],
    ["{{ name | append: object }}.", notAText],
    ["{{ n | append: '!' }}.", "7!."],
    ["{{ list | join: ', ' }}.", notAText],
    ["{{ things | join: ', ' }}.", notAText],
    ["{{ things | map: 'n' | join: ', ' }}.", notAText],
    ["{{ things | map: 'n' | compact | join: ', ' }}.", "1, 2."],
  ])("is not made one: %s", (text, value) => {
    expect(come(text)).toEqual(value);
  });
});

describe("less and more", () => {
  const operators = ["<", "<=", ">", ">="];

  test.each(operators)("%s of nothing is neither true nor false", (operator) => {
    for (const condition of [`nothing ${operator} 5`, `5 ${operator} nothing`, `nope.amount ${operator} 5`]) {
      expect(come(`{% if ${condition} %}a{% else %}b{% endif %}`)).toEqual(nothingCompared);
      expect(come(`{% unless ${condition} %}a{% endunless %}`)).toEqual(nothingCompared);
    }
    expect(come(`{% if nothing and nothing ${operator} 5 %}a{% else %}b{% endif %}`)).toBe("b");
    expect(come(`{% if n or nothing ${operator} 5 %}a{% else %}b{% endif %}`)).toBe("a");
    expect(come(`{% if n and nothing ${operator} 5 %}a{% endif %}`)).toEqual(nothingCompared);
    expect(come(`{% if nothing ${operator} 5 or n %}a{% endif %}`)).toEqual(nothingCompared);
    expect([nothingCompared, notAText]).toContainEqual(come(`{{ nothing ${operator} 5 }}.`));
  });

  test.each(operators)("%s of what has no order is refused", (operator) => {
    for (const condition of [
      `name ${operator} 5`,
      `5 ${operator} name`,
      `object ${operator} 5`,
      `true ${operator} 5`,
    ]) {
      expect(come(`{% if ${condition} %}a{% endif %}`)).toEqual(fails("no_order"));
    }
    expect(come(`{% if 5 ${operator} nil %}a{% endif %}`)).toEqual(fails("no_order"));
  });

  test.each([
    ["n < 8", true],
    ["n < 7", false],
    ["n <= 7", true],
    ["n <= 6", false],
    ["n > 6", true],
    ["n > 7", false],
    ["n >= 7", true],
    ["n >= 8", false],
    ["price > 12", true],
    ["price > 100", false],
    ["name < 'bo'", true],
    ["name <= 'ada'", true],
    ["name >= 'ada'", true],
    ["name > 'bo'", false],
    ["'10' < '9'", true],
  ])("%s is %s", (condition, holds) => {
    expect(come(`{% if ${condition} %}yes{% else %}no{% endif %}`)).toBe(holds ? "yes" : "no");
  });

  test("that something is there is still asked as before", () => {
    expect(come("{% if nope %}a{% else %}b{% endif %}{% if nothing == nil %}c{% endif %}")).toBe("bc");
    expect(come("{% if nope.amount %}{% if nope.amount > 5 %}a{% endif %}{% else %}b{% endif %}")).toBe("b");
  });
});
