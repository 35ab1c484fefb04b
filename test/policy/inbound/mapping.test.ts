// Tests the effect that a request is mapped to, and the message for an unmappable request.
import { describe, expect, test } from "vitest";
import { mapRequest } from "#policy/inbound/mapping.ts";
import type { StoredRequest } from "#schema/inbound/delivery.ts";
import { trigger } from "#schema/inbound/trigger.ts";
import { naming } from "#test/support/matchers/naming.ts";

const about = { id: "trg_1", name: "pushes", namespace: "web", tenant: "acme" };
const request: StoredRequest = {
  method: "POST",
  query: { go: "1" },
  headers: { "x-event": "push" },
  body: { after: "c0ffee", n: 7, version: 3, order: "o-1", list: [1, 2], $secret: "data" },
  deliveryId: "d1",
  receivedAt: "2026-11-18T10:00:00.000Z",
};

function mapped(over: object, asked: Partial<StoredRequest> = {}) {
  const written = { name: "t", kind: "webhook", verify: { scheme: "none" }, ...over };
  return mapRequest(trigger.parse(written), about, { ...request, ...asked });
}
const start = (over: object = {}) => ({ target: { kind: "start", definition: "deploy", ...over } });
const event = (over: object = {}) => ({ target: { kind: "event", execution: "exe_1", type: "go", ...over } });

describe("a start", () => {
  test("uses the body as variables by default", () => {
    expect(mapped(start())).toEqual({
      kind: "effect",
      effect: { kind: "start", definition: "deploy", variables: { body: request.body }, correlationId: null },
      sequence: null,
    });
  });

  test("may use templates and rules over the whole scope", () => {
    const variables = {
      commit: "{{ request.body.after }}",
      text: "{{ request.method }} {{ trigger.name }}",
      n: "{{ request.body.n }}",
    };
    const assign = { more: { "+": [{ var: "request.body.n" }, 1] }, who: { var: "tenant.id" }, at: { var: "now" } };
    const correlationId = "{{ request.body.n }}";
    expect(mapped(start({ variables, assign, correlationId }))).toMatchObject({
      effect: {
        variables: { commit: "c0ffee", text: "POST pushes", n: 7, more: 8, who: "acme", at: request.receivedAt },
        correlationId: "7",
      },
    });
  });

  test.each([
    [
      { variables: { a: "{{ request.body.missing }}" } },
      "template_failed",
      ["target/variables/a", "request.body.missing"],
    ],
    [{ assign: { a: { "+": ["x", { var: "request.body.list" }] } } }, "rule_failed", ["target.assign.a"]],
    [{ correlationId: "{{ request.body.list }}" }, "no_correlation_id", ["target.correlationId", "[1,2]"]],
    [{ variables: { a: "{{ secrets.x }}" } }, "template_failed", ["x"]],
  ])("with %j is unmappable: %s", (over, code, named) => {
    expect(mapped(start(over))).toEqual({ kind: "unmappable", reason: { code, message: naming(...named) } });
  });
});

describe("an event", () => {
  test("is sent to the execution that the request names", () => {
    const over = {
      execution: "exe_{{ request.body.order }}",
      type: "order.{{ request.headers.x-event }}",
      correlationId: "c",
    };
    expect(mapped(event(over))).toMatchObject({
      effect: { kind: "event", execution: "exe_o-1", type: "order.push", payload: request.body, correlationId: "c" },
    });
  });

  test("has a payload of templates and rules", () => {
    const assign = { b: { var: "request.body.n" } };
    expect(mapped(event({ payload: { a: 1 }, assign }))).toMatchObject({ effect: { payload: { a: 1, b: 7 } } });
    expect(mapped(event({ payload: null, assign }))).toMatchObject({ effect: { payload: { b: 7 } } });
    expect(mapped(event({ payload: "{{ request.body.list }}" }))).toMatchObject({ effect: { payload: [1, 2] } });
  });

  test.each([
    [{ execution: "{{ request.body.after }}" }, "no_execution"],
    [{ type: "child_{{ request.body.order }}" }, "no_event_type"],
    [{ payload: [1], assign: { a: 1 } }, "payload_not_an_object"],
    [{ payload: "x", assign: { a: 1 } }, "payload_not_an_object"],
    [{ payload: "{{ nothing }}" }, "template_failed"],
    [{ assign: { a: { "+": ["x"] } } }, "rule_failed"],
    [{ correlationId: "{{ request.body.list }}" }, "no_correlation_id"],
  ])("with %j is unmappable: %s", (over, code) => {
    expect(mapped(event(over))).toMatchObject({ kind: "unmappable", reason: { code } });
  });
});

describe("a published event", () => {
  const post = (over: object = {}) => ({
    target: { kind: "correlate", key: "{{ request.body.order }}", type: "go", ...over },
  });

  test("has a correlation key, and is kept for a day by default", () => {
    expect(mapped(post())).toMatchObject({
      effect: { kind: "post", correlationKey: "o-1", type: "go", payload: request.body, keepMs: 86_400_000 },
    });
    expect(mapped(post({ key: "{{ request.body.n }}", keep: false }))).toMatchObject({
      effect: { correlationKey: "7", keepMs: 0 },
    });
  });

  test.each([
    [{ key: "{{ request.body.list }}" }, "no_correlation_key"],
    [{ key: "{{ request.body.none }}" }, "template_failed"],
    [{ key: "{% if false %}{% endif %}" }, "no_correlation_key"],
    [{ type: "action.x.ok" }, "no_event_type"],
    [{ type: "task_{{ request.body.order }}" }, "no_event_type"],
    [{ keep: "P30D" }, "invalid_input"],
  ])("with %j is unmappable: %s", (over, code) => {
    expect(mapped(post(over))).toMatchObject({ kind: "unmappable", reason: { code } });
  });
});

describe("before the target is mapped", () => {
  test("a false rule ignores the request", () => {
    const when = { "===": [{ var: "request.headers.x-event" }, "release"] };
    expect(mapped({ ...start(), when })).toEqual({ kind: "ignored" });
    expect(mapped({ ...start(), when: { var: "request.query.go" } })).toMatchObject({ kind: "effect" });
    expect(mapped({ ...start(), when: { "+": ["x"] } })).toMatchObject({ reason: { code: "rule_failed" } });
  });

  test("the place in the sequence is computed", () => {
    const sequence = { value: { var: "request.body.version" }, by: { var: "request.body.order" } };
    expect(mapped({ ...start(), sequence })).toMatchObject({ sequence: { by: '"o-1"', value: 3 } });
    expect(mapped({ ...start(), sequence: { value: "a" } })).toMatchObject({ sequence: { by: '""', value: "a" } });
    const listed = { value: { var: "request.body.list" } };
    expect(mapped({ ...start(), sequence: listed })).toMatchObject({ reason: { code: "sequence_not_comparable" } });
    expect(mapped({ ...start(), sequence: { value: { "+": ["x"] } } })).toMatchObject({
      reason: { code: "rule_failed" },
    });
    const broken = { value: 1, by: { "+": ["x"] } };
    expect(mapped({ ...start(), sequence: broken })).toMatchObject({ reason: { code: "rule_failed" } });
  });

  test("an unreadable request is unmappable with its reason", () => {
    const unreadable = { code: "malformed_json", message: "the body is not JSON" };
    expect(mapped(start(), { unreadable })).toEqual({ kind: "unmappable", reason: unreadable });
  });
});
