// SendGrid's events, as its documentation shows them.
import { describe, expect, test } from "vitest";
import { isSendgridMessage, readSendgridMessages } from "#policy/inbound/callbacks/sendgrid-messages.ts";
import { referenceText, REFERENCE_FIELD } from "#schema/outgoing/run-reference.ts";
import type { JsonObject } from "#schema/json.ts";

const reference = { execution: "exe_1", run: "3.0", attempt: 2 };
const text = referenceText(reference);

describe("SendGrid", () => {
  const read = (...events: JsonObject[]) =>
    readSendgridMessages(
      events.map((event) => ({ sg_event_id: "e", timestamp: 1_600, [REFERENCE_FIELD]: text, ...event })),
    );
  const one = (event: JsonObject) => read(event)?.[0];

  test.each([
    ["processed", null],
    ["deferred", "email_deferred"],
    ["delivered", "email_delivered"],
    ["open", "email_opened"],
    ["click", "email_clicked"],
    ["bounce", "email_bounced"],
    ["dropped", "email_dropped"],
    ["spamreport", "email_complained"],
    ["unsubscribe", "email_unsubscribed"],
    ["group_unsubscribe", "email_unsubscribed"],
    ["group_resubscribe", null],
  ])("%s is %s", (event, expected) => {
    expect(one({ event })).toMatchObject({
      id: "report/sendgrid/e",
      event: expected,
      isSent: true,
      at: 1_600_000,
      reference,
    });
  });

  test("a blocked message is a soft bounce, any other bounce a hard one", () => {
    const bounce = { event: "bounce", email: "a@example.com", status: "5.0.0", reason: "r".repeat(400) };
    expect(one({ ...bounce, type: "blocked" })).toMatchObject({ details: { type: "soft" }, suppression: null });
    const hard = one({ ...bounce, type: "bounce" });
    expect(hard).toMatchObject({
      details: { type: "hard" },
      suppression: "hard_bounce",
      recipient: "a@example.com",
      code: "5.0.0",
    });
    expect(hard?.reason).toHaveLength(300);
  });

  test("a complaint and a global unsubscription suppress the recipient, that from a group does not", () => {
    const found = ["spamreport", "unsubscribe", "group_unsubscribe", "delivered"].map(
      (event) => one({ event })?.suppression,
    );
    expect(found).toEqual(["complaint", "unsubscribe", null, null]);
  });

  test("a click has its URL, an open says whether a machine opened it", () => {
    expect(one({ event: "click", url: "https://a.example" })?.details).toEqual({ url: "https://a.example" });
    expect(one({ event: "click", url: "h".repeat(2_001) })?.details).toEqual({ url: null });
    expect(one({ event: "open", sg_machine_open: true })?.details).toEqual({ byMachine: true });
    expect(one({ event: "open" })?.details).toEqual({ byMachine: false });
    expect(one({ event: "delivered", response: "250 OK" })?.reason).toBe("250 OK");
  });

  test("events without an id or a name are left out, and another body is no callback", () => {
    expect(readSendgridMessages([{ event: "open" }, { sg_event_id: "e" }, 7, null])).toEqual([]);
    expect(readSendgridMessages({ event: "open" })).toBe(null);
    expect(one({ event: "open", timestamp: "soon", [REFERENCE_FIELD]: 7 })).toMatchObject({
      at: Number.NaN,
      reference: null,
    });
  });

  test("an event's message id begins with the id that SendGrid returned", () => {
    expect(isSendgridMessage("abc", "abc.filter.1")).toBe(true);
    expect(isSendgridMessage("abc", "abc")).toBe(true);
    expect(isSendgridMessage("abc", "abcd.filter")).toBe(false);
  });
});
