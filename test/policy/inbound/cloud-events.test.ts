// Tests that all modes of CloudEvents give the same event, and that invalid events are refused.
import { describe, expect, test } from "vitest";
import { utf8 } from "#policy/inbound/bytes.ts";
import { eventIdentity, eventTrouble, handshake, readCloudEvents } from "#policy/inbound/cloud-events.ts";
import { naming } from "#test/support/matchers/naming.ts";

const event = { specversion: "1.0", id: "1", source: "/shop", type: "order.made", data: { total: 3 } };

function read(headers: Record<string, string>, body: string | Uint8Array = "") {
  const bytes = typeof body === "string" ? utf8(body) : body;
  return readCloudEvents({
    method: "POST",
    url: "https://h.example/",
    headers: new Map(Object.entries(headers)),
    body: bytes,
  });
}
const binary = { "ce-specversion": "1.0", "ce-id": "1", "ce-source": "/shop", "ce-type": "order.made" };
const structured = { "content-type": "application/cloudevents+json; charset=utf-8" };
const batch = { "content-type": "application/cloudevents-batch+json" };

describe("modes", () => {
  test("are structured, batch and binary", () => {
    expect(read(structured, JSON.stringify(event))).toEqual({ kind: "events", isBatch: false, events: [event] });
    expect(read(batch, JSON.stringify([event, event]))).toEqual({
      kind: "events",
      isBatch: true,
      events: [event, event],
    });
    expect(read({ ...binary, "content-type": "application/json" }, '{"total":3}')).toEqual({
      kind: "events",
      isBatch: false,
      events: [{ ...event, datacontenttype: "application/json" }],
    });
  });

  test("binary without data, with text, and with bytes", () => {
    const { data: _data, ...bare } = event;
    expect(read(binary)).toEqual({ kind: "events", isBatch: false, events: [bare] });
    expect(read(binary, "7")).toEqual({ kind: "events", isBatch: false, events: [{ ...bare, data: 7 }] });
    expect(read({ ...binary, "content-type": "image/png" }, Uint8Array.of(1, 2))).toEqual({
      kind: "events",
      isBatch: false,
      events: [{ ...bare, datacontenttype: "image/png", data_base64: "AQI=" }],
    });
  });

  test.each([
    ["Euro%20%E2%82%AC", "Euro €"],
    ['"a \\"b\\" %25"', 'a "b" %'],
    ["100% %zz", "100% %zz"],
    ["%2520", "%20"],
  ])("the header %j is decoded as %j", (header, said) => {
    expect(read({ ...binary, "ce-subject": header })).toMatchObject({ events: [{ subject: said }] });
  });

  test("invalid UTF-8 is refused, including overlong forms", () => {
    for (const header of ["%FF", "%C0%AF", "%ED%A0%80"])
      expect(read({ ...binary, "ce-subject": header })).toMatchObject({
        kind: "broken",
        reason: { code: "text_not_unicode", message: naming("ce-subject") },
      });
    expect(read(structured, Uint8Array.of(0xff))).toMatchObject({ reason: { code: "text_not_unicode" } });
  });

  test("other requests are unsupported", () => {
    expect(read({ "content-type": "application/json" }, "{}")).toEqual({ kind: "unsupported" });
    expect(read(structured, "{")).toMatchObject({ kind: "broken", reason: { code: "malformed_json" } });
    expect(read(structured, "[".repeat(300))).toMatchObject({ kind: "broken", reason: { code: "too_deep" } });
    expect(read(batch, "{}")).toMatchObject({ kind: "broken", reason: { code: "not_a_cloud_event" } });
  });
});

test("an event needs four texts, and two of them identify it", () => {
  expect(eventTrouble(event)).toBe(null);
  expect(eventTrouble({ specversion: "1.0", id: 7 })?.message).toEqual(naming("id, source, type"));
  for (const specversion of ["1.0", "1.1"]) expect(eventTrouble({ ...event, specversion })).toBe(null);
  for (const specversion of ["0.3", "2.0", "1", "1.x", "x".repeat(99)])
    expect(eventTrouble({ ...event, specversion })).toMatchObject({ code: "not_a_cloud_event" });
  expect(eventIdentity(event)).toBe('["/shop","1"]');
  expect([eventIdentity({ id: "1" }), eventIdentity({ source: "/" })]).toEqual([null, null]);
});

test("a handshake is answered for listed origins only", () => {
  expect(handshake("Shop.example", { origins: ["shop.example"] }, 60)).toEqual({ origin: "Shop.example", rate: 60 });
  expect(handshake("any", { origins: ["*"], ratePerMinute: 5 }, 60)).toEqual({ origin: "any", rate: 5 });
  expect(handshake("other.example", { origins: ["shop.example"] }, 60)).toBe(null);
  expect(handshake(null, { origins: ["*"] }, 60)).toBe(null);
  expect(handshake("any", undefined, 60)).toBe(null);
});
