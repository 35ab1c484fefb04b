// Errors in a journey, each with its pointer and hint.
import { describe, expect, test } from "vitest";
import { verify, warningsOf } from "#test/kernel/verify/at-once.ts";
import { JOURNEY_EDGES_MAX, JOURNEY_NODES_MAX } from "#schema/limits/definition-sizes.ts";
import type { JsonObject } from "#schema/json.ts";
import { act, journey } from "../../programs/journey/drive-journey.ts";
import { naming, notNaming } from "#test/support/matchers/naming.ts";

type Written = Parameters<typeof journey>[0];

/** Pointer, code, and the message or hint. */
function found(written: Written): readonly (readonly (string | undefined)[])[] {
  return verify(journey(written)).map(({ pointer, code, hint }) => [pointer, code, hint]);
}

const nodes = (rest: { readonly [name: string]: JsonObject }) => ({ a: act("b"), b: act(), ...rest });

describe("the graph", () => {
  test("a sound one has nothing wrong with it", () => {
    expect(found({ nodes: nodes({}) })).toEqual([]);
  });

  test("a node that is not there is named wherever it is written, with what was meant", () => {
    const written = {
      initial: ["a", "bb"],
      nodes: {
        a: act(["b", "cal"], { onFailed: "hlep" }),
        b: { type: "branch", cases: [{ guard: true, next: "calll" }] },
        w: { type: "wait", for: [{ event: "x", next: "wy" }], timeout: { after: "P1D", next: "calk" }, next: "zz" },
        s: { type: "split", ways: [{ weight: 1, next: "zz" }] },
        end: { type: "exit" },
        d: { type: "delay", for: "P1D", next: "zz" },
        call: act(),
        help: act(),
      },
    };
    expect(found(written)).toEqual([
      ["/initial/1", "unknown_node", naming("b")],
      ["/nodes/a/next/1", "unknown_node", naming("call")],
      ["/nodes/a/onFailed", "unknown_node", naming("help")],
      ["/nodes/b/cases/0/next", "unknown_node", naming("call")],
      ["/nodes/w/next", "unknown_node", undefined],
      ["/nodes/w/for/0/next", "unknown_node", naming("w")],
      ["/nodes/w/timeout/next", "unknown_node", naming("call")],
      ["/nodes/s/ways/0/next", "unknown_node", undefined],
      ["/nodes/d/next", "unknown_node", undefined],
    ]);
  });

  test("one named twice in a place", () => {
    expect(found({ nodes: { a: act(["b", "b"]), b: act() } })).toEqual([
      ["/nodes/a/next/1", "duplicate_edge", expect.any(String)],
    ]);
  });

  test("a cycle is named", () => {
    const written = journey({ nodes: { a: act("b"), b: act(["x", "c"]), c: act("d"), d: act("b"), x: act() } });
    expect(verify(written)).toEqual([
      expect.objectContaining({ pointer: "/nodes/b", code: "cycle", message: naming("b → c → d → b") }),
    ]);
    expect(found({ nodes: { a: act("a") } })).toEqual([["/nodes/a", "cycle", expect.any(String)]]);
  });

  test("a node that nothing leads to", () => {
    expect(found({ nodes: nodes({ c: act() }) })).toEqual([
      ["/nodes/c", "unreachable_node", naming("next", "initial")],
    ]);
  });

  test("none at all, and too many", () => {
    expect(found({ initial: "a", nodes: {} })).toEqual([["/nodes", "nodes_missing", undefined]]);
    const many = Object.fromEntries(Array.from({ length: JOURNEY_NODES_MAX + 1 }, (_, n) => [`n${n}`, act()]));
    expect(found({ nodes: many })).toEqual([["/nodes", "limit_exceeded", expect.any(String)]]);
  });

  test("too many ways from node to node", () => {
    const names = Array.from({ length: 110 }, (_, n) => `n${n}`);
    const all = names.map((name, n): [string, JsonObject] => [name, act(names.slice(n + 1, n + 100))]);
    const written = Object.fromEntries(
      all.map(([name, node]) => [name, (node["next"] as string[]).length > 0 ? node : act()]),
    );
    expect(found({ nodes: written })).toEqual([["/nodes", "limit_exceeded", undefined]]);
    expect(JOURNEY_EDGES_MAX).toBe(5_000);
  });
});

describe("names", () => {
  test("of windows, caps and delays", () => {
    const written = {
      subject: { var: "execution.variables.customerId" },
      windows: { polite: { from: "09:00", to: "20:00" } },
      caps: { gentle: { max: 3, per: "P7D" } },
      delays: { sixWeeks: { offset: "-P42D", anchor: { var: "execution.variables.date" } } },
      defaults: { webhook: { window: "plite" } },
      nodes: {
        a: act("b", { delay: "sixWeek", cap: "gentel" }),
        b: { type: "delay", until: "sixweeks", next: "c" },
        c: { type: "wait", for: [{ event: "x" }], timeout: { after: "sex" }, next: "e" },
        e: {
          type: "each",
          times: 2,
          every: "weekli",
          until: { event: "task_gone" },
          node: { type: "sms", cap: "gntle" },
        },
      } as never,
    };
    expect(found(written)).toEqual([
      ["/defaults/webhook/window", "unknown_window", naming("polite")],
      ["/nodes/a/cap", "unknown_cap", naming("gentle")],
      ["/nodes/b/until", "unknown_delay", naming("sixWeeks")],
      ["/nodes/c/timeout/after", "unknown_delay", naming("delays")],
      ["/nodes/e/node/cap", "unknown_cap", naming("gentle")],
      ["/nodes/e/every", "unknown_delay", expect.any(String)],
      ["/nodes/e/until/event", "unknown_event", expect.any(String)],
      ["/nodes/a/delay", "unknown_delay", naming("sixWeeks")],
    ]);
  });

  test("of types that nothing here is of", () => {
    expect(found({ defaults: { webhok: {} }, nodes: nodes({}) })).toEqual([
      ["/defaults/webhok", "unknown_type", naming("webhook")],
    ]);
    expect(found({ defaults: { email: {} }, nodes: { d: { type: "delay", for: "P1D" } } })).toEqual([
      ["/defaults/email", "unknown_type", notNaming("email")],
    ]);
  });

  test("of events that never come", () => {
    const events = ["action.a.ok", "execution.patched", "task_complete", "child_completed", "task_created", "gave.up"];
    const a = act("w", { onExhausted: { event: "task_gone" } });
    const told = [...events, "task_gone"].map((event) => ({ event }));
    expect(found({ exitWhen: [{ event: "action.a.failed" }], nodes: { a, w: { type: "wait", for: told } } })).toEqual([
      ["/exitWhen/0/event", "unknown_event", naming("next", "onFailed")],
      ["/nodes/w/for/0/event", "unknown_event", expect.any(String)],
      ["/nodes/w/for/1/event", "unknown_event", expect.any(String)],
      ["/nodes/w/for/2/event", "unknown_event", naming("task_completed")],
    ]);
  });

  test("that every object has are names like others", () => {
    const written = { nodes: { constructor: act("toString"), toString: act() } };
    expect(found(written as never)).toEqual([]);
  });
});

describe("rules and templates", () => {
  test("are checked in every place", () => {
    const bad = { nope: [1] };
    const written = {
      correlation: { key: bad },
      delays: { d: { anchor: bad } },
      exitWhen: [{ when: bad }, { event: "e", guard: bad, assign: { x: bad } }],
      nodes: {
        a: act("d", { condition: bad, validUntil: bad, assign: { x: bad }, delay: { anchor: bad } }),
        d: { type: "delay", until: { anchor: bad }, condition: bad, next: "b" },
        b: { type: "branch", cases: [{ guard: bad, next: "w" }] },
        w: { type: "wait", for: [{ when: bad }], timeout: { after: { anchor: bad } }, next: "s" },
        s: { type: "split", by: bad, ways: [{ weight: 1, next: ["t", "e", "j"] }] },
        e: {
          type: "each",
          over: bad,
          every: { anchor: bad },
          until: { when: bad },
          node: { type: "webhook", window: { from: "09:00", to: "10:00", timezone: bad } },
        },
        f: { type: "each", over: ["x"], node: { type: "webhook", condition: bad } },
        j: { type: "journey", definition: "album", assign: { x: bad }, condition: bad, next: ["f", "end"] },
        end: { type: "exit" },
        t: act(undefined, { config: { url: "{{ execution.variables.x" } }),
      } as never,
    };
    const pointers = verify(journey(written)).map(({ pointer }) => pointer);
    expect([...new Set(pointers.map((pointer) => pointer.replace(/\/nope.*$/, "")))]).toEqual([
      "/delays/d/anchor",
      "/correlation/key",
      "/exitWhen/0/when",
      "/exitWhen/1/guard",
      "/exitWhen/1/assign/x",
      "/nodes/a/assign/x",
      "/nodes/d/condition",
      "/nodes/d/until/anchor",
      "/nodes/b/cases/0/guard",
      "/nodes/w/for/0/when",
      "/nodes/w/timeout/after/anchor",
      "/nodes/s/by",
      "/nodes/e/over",
      "/nodes/e/node/window/timezone",
      "/nodes/e/until/when",
      "/nodes/e/every/anchor",
      "/nodes/j/condition",
      "/nodes/j/assign/x",
      "/nodes/a/delay/anchor",
      "/nodes/a/condition",
      "/nodes/a/validUntil",
      "/nodes/f/node/condition",
      "/nodes/t/config/url",
    ]);
  });

  test("of an action are named where they are written: with the node, or with what lies under it", () => {
    const defaults = { webhook: { config: { body: "{{ x" }, retryPolicy: { retryableErrors: ["tmeout"] } } };
    const written = { defaults, nodes: { a: act(undefined, { config: { url: "{{ y" } }) } };
    expect(found(written).map(([pointer]) => pointer)).toEqual([
      "/defaults/webhook/retryPolicy/retryableErrors/0",
      "/defaults/webhook/config/body",
      "/nodes/a/config/url",
    ]);
  });

  test("paths that lead nowhere are warned of", () => {
    const a = act("b", { config: { url: "https://x.example/{{ message.paylod.id }}" } });
    const b = { type: "branch", cases: [{ guard: { var: "execution.varables.x" }, next: "c" }] };
    const warnings = warningsOf(journey({ variables: { x: 1 }, nodes: { a, b, c: act() } }));
    expect(warnings.map(({ pointer, fix }) => [pointer, fix])).toEqual([
      ["/nodes/b/cases/0/guard/var", naming('"execution.variables.x"')],
      ["/nodes/a/config/url", naming("{{ message.payload.id }}")],
    ]);
  });

  test("variables that a start, a goal or a wait brings are known", () => {
    const to = (name: string) => act(undefined, { config: { url: `https://x.example/{{ ${name} }}` } });
    const written = journey({
      input: { properties: { given: { type: "string" } } },
      exitWhen: [{ event: "won", assign: { prize: 1 } }, { event: "lost" }],
      initial: ["w", "a", "b", "c", "d"],
      nodes: {
        w: { type: "wait", for: [{ event: "e", assign: { seen: 1 } }] },
        a: to("given"),
        b: to("prize"),
        c: to("seen"),
        d: to("sen"),
      },
    });
    const fixes = warningsOf(written).map(({ pointer, fix }) => [pointer, fix]);
    expect(fixes.slice(0, 3)).toEqual([
      ["/nodes/a/config/url", naming("{{ execution.variables.given }}")],
      ["/nodes/b/config/url", naming("{{ execution.variables.prize }}")],
      ["/nodes/c/config/url", naming("{{ execution.variables.seen }}")],
    ]);
  });

  test("a start that takes more than a step may is refused", () => {
    const list = Array.from({ length: 10_000 }, (_, n) => n);
    const guard = { some: [{ var: "execution.variables.list" }, { "==": [{ var: "" }, -1] }] };
    const cases = Array.from({ length: 60 }, () => ({ guard, next: "b" }));
    const written = { variables: { list }, nodes: { a: { type: "branch", cases }, b: act() } } as never;
    expect(found(written)).toEqual([["/nodes", "rule_too_costly", expect.any(String)]]);
  });
});

test("an error in the graph hides no other error", () => {
  const written = { nodes: nodes({ b: act("c", { window: "day" }) }), events: { "action.a.ok": {} } };
  expect(found(written).map(([where, code]) => [where, code])).toEqual([
    ["/nodes/b/next", "unknown_node"],
    ["/events/action.a.ok", "event_of_engine"],
    ["/nodes/b/window", "unknown_window"],
  ]);
});

test("schemas of events are checked as in a machine", () => {
  expect(found({ events: { "action.a.ok": {} }, nodes: nodes({}) })[0]?.slice(0, 2)).toEqual([
    "/events/action.a.ok",
    "event_of_engine",
  ]);
});
