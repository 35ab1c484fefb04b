import { describe, expect, it, test } from "vitest";
import { isPattern, matches } from "#sandbox/pattern.ts";
import { quickSchema, quickStep } from "#sandbox/quick.ts";
import { chooseStep, drawFor, scriptFor, scriptSchema } from "#sandbox/script.ts";

const first = { status: 503 };
const second = { delayMs: 10 };
const late = { status: 410 };
const fault = { drop: true as const };
const arrival = { seed: "key", attempt: 1, nth: 1 };

describe("the step that answers", () => {
  test.each([
    ["no script: the provider's own success", null, {}, null],
    ["step i answers attempt i", { steps: [first, second] }, { attempt: 2 }, second],
    ["after the list, success", { steps: [first] }, { attempt: 2 }, null],
    ["after the list, then", { steps: [first], then: late }, { attempt: 5 }, late],
    ["an empty list gives then at once", { then: late }, {}, late],
    ["every nth, before the steps", { steps: [first], everyNth: { n: 3, step: fault } }, { nth: 3 }, fault],
    ["others than the nth get the steps", { steps: [first], everyNth: { n: 3, step: fault } }, { nth: 4 }, first],
    ["a share of one takes all", { steps: [first], ratio: { share: 1, step: fault } }, {}, fault],
    ["a share of none takes none", { steps: [first], ratio: { share: 0, step: fault } }, {}, first],
  ])("%s", (_fact, script, at, step) => {
    const parsed = script && scriptSchema.parse({ path: "/sink/a", ...script });
    expect(chooseStep(parsed, { ...arrival, ...at })).toEqual(step);
  });

  it("applies a ratio to its share of requests, equally for the same key and attempt", () => {
    const script = scriptSchema.parse({ path: "/sink/*", ratio: { share: 0.2, step: fault } });
    const pick = (seed: string, attempt: number) => chooseStep(script, { seed, attempt, nth: 0 }) !== null;
    const keys = Array.from({ length: 2000 }, (_, n) => `exe_${n}/1`);
    const faulty = keys.filter((key) => pick(key, 1));
    expect(faulty.length).toBeGreaterThan(320);
    expect(faulty.length).toBeLessThan(480);
    expect(keys.filter((key) => pick(key, 1))).toEqual(faulty);
    // A retry draws again, so most failed keys succeed the second time.
    expect(faulty.filter((key) => pick(key, 2)).length).toBeLessThan(faulty.length / 2);
  });

  it("draws numbers between 0 and 1", () => {
    const draws = ["", "a", "b", "key:1", "key:2"].map(drawFor);
    expect(draws.every((draw) => draw >= 0 && draw < 1)).toBe(true);
    expect(new Set(draws).size).toBe(5);
  });
});

describe("the script that answers", () => {
  const scripts = ["/*", "/sink/*", "/sink/a/*", "/sink/a/b"].map((path) => scriptSchema.parse({ path }));
  test.each([
    ["/sink/a/b", "/sink/a/b"],
    ["/sink/a/c", "/sink/a/*"],
    ["/sink/a", "/sink/*"],
    ["/sinking", "/*"],
  ])("%s is answered by %s", (path, by) => expect(scriptFor(scripts, path)?.path).toBe(by));

  it("is null if no path matches", () => expect(scriptFor(scripts.slice(1), "/other")).toBeNull());
});

describe("patterns", () => {
  test.each([
    ["/sink/a", true],
    ["/sink/a/*", true],
    ["/*", true],
    ["/sendgrid/v3/mail/send", true],
    ["sink/a", false],
    ["/sink/a*", false],
    ["/sink/*/b", false],
    ["/sink/a?x=1", false],
    ["/sink/ü", false],
    ["/quick/a", false],
    ["/_control/*", false],
    ["", false],
  ])("%s is a pattern: %s", (text, yes) => expect(isPattern(text)).toBe(yes));

  it("ends a prefix at the slash", () => {
    expect(matches("/sink/a/*", "/sink/a/b/c")).toBe(true);
    expect(matches("/sink/a/*", "/sink/ab")).toBe(false);
  });
});

describe("script input", () => {
  it("stores a JSON body as its text, and a string unchanged", () => {
    const { steps } = scriptSchema.parse({ path: "/sink/a", steps: [{ body: { x: 1 } }, { body: "plain" }] });
    expect(steps.map((step) => step.body)).toEqual(['{"x":1}', "plain"]);
  });

  test.each([
    ["an unknown field", { path: "/sink/a", stepz: [] }],
    ["no path", { steps: [] }],
    ["a status out of range", { path: "/sink/a", steps: [{ status: 600 }] }],
    ["a body where the status has none", { path: "/sink/a", steps: [{ status: 204, body: "x" }] }],
    ["a drop where there is no body", { path: "/sink/a", then: { status: 204, drop: true } }],
    ["a header that breaks the line", { path: "/sink/a", then: { headers: { "X-A": "a\r\nB: c" } } }],
    ["a share above one", { path: "/sink/a", ratio: { share: 2, step: {} } }],
    ["every zeroth", { path: "/sink/a", everyNth: { n: 0, step: {} } }],
  ])("refuses %s", (_fact, script) => expect(scriptSchema.safeParse(script).success).toBe(false));
});

describe("the quick endpoint", () => {
  test.each([
    ["", 0.9, { status: 200, delayMs: 0 }],
    ["status=503", 0.9, { status: 503, delayMs: 0 }],
    ["status=503&share=0.3", 0.29, { status: 503, delayMs: 0 }],
    ["status=503&share=0.3", 0.3, { status: 200, delayMs: 0 }],
    ["delayMs=1000&slowShare=0.05", 0.04, { status: 200, delayMs: 1000 }],
    ["delayMs=1000&slowShare=0.05", 0.05, { status: 200, delayMs: 0 }],
  ])("?%s at a draw of %d", (query, draw, step) => {
    const asked = quickSchema.parse(Object.fromEntries(new URLSearchParams(query)));
    expect(quickStep(asked, { status: draw, delay: draw })).toEqual(step);
  });
});
