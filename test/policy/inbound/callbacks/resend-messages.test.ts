// Resend's events, as its documentation shows them.
import { describe, expect, test } from "vitest";
import { readResendMessages } from "#policy/inbound/callbacks/resend-messages.ts";
import { referenceText, REFERENCE_FIELD } from "#schema/outgoing/run-reference.ts";
import type { Json, JsonObject } from "#schema/json.ts";

const reference = { execution: "exe_1", run: "3.0", attempt: 2 };
const text = referenceText(reference);

describe("Resend", () => {
  const at = "2026-02-22T23:41:12.126Z";
  const read = (type: string, data: JsonObject, id: string | null = "msg_1") =>
    readResendMessages({ type, created_at: at, data: { email_id: "m", to: ["a@example.com"], ...data } }, id)?.[0];

  test.each([
    ["email.sent", null],
    ["email.delivered", "email_delivered"],
    ["email.delivery_delayed", "email_deferred"],
    ["email.bounced", "email_bounced"],
    ["email.complained", "email_complained"],
    ["email.opened", "email_opened"],
    ["email.clicked", "email_clicked"],
    ["email.failed", "email_dropped"],
    ["email.suppressed", "email_dropped"],
    ["contact.created", null],
  ])("%s is %s", (type, event) => {
    const tags: Json = { [REFERENCE_FIELD]: text };
    expect(read(type, { tags })).toMatchObject({
      id: "report/resend/msg_1",
      event,
      at: Date.parse(at),
      messageId: "m",
      reference,
    });
  });

  test("tags may be a list", () => {
    expect(
      read("email.opened", {
        tags: [
          { name: "x", value: "y" },
          { name: REFERENCE_FIELD, value: text },
        ],
      })?.reference,
    ).toEqual(reference);
    expect(read("email.opened", { tags: [{ name: "x", value: "y" }] })?.reference).toBe(null);
    expect(read("email.opened", {})?.reference).toBe(null);
  });

  test("only a permanent bounce suppresses the recipient", () => {
    const bounce = (type: string) => ({ bounce: { type, subType: "General", message: "no such user" } });
    expect(read("email.bounced", bounce("Permanent"))).toMatchObject({
      details: { type: "hard" },
      suppression: "hard_bounce",
      code: "General",
      reason: "no such user",
    });
    expect(read("email.bounced", bounce("Transient"))).toMatchObject({ details: { type: "soft" }, suppression: null });
    expect(read("email.complained", {})?.suppression).toBe("complaint");
    expect(read("email.delivered", {})?.suppression).toBe(null);
  });

  test("a failure has its reason, a click its link", () => {
    expect(read("email.failed", { failed: { reason: "reached_daily_quota" } })?.reason).toBe("reached_daily_quota");
    expect(read("email.suppressed", { suppressed: { type: "OnAccountSuppressionList" } })?.code).toBe(
      "OnAccountSuppressionList",
    );
    expect(read("email.clicked", { click: { link: "https://a.example" } })?.details).toEqual({
      url: "https://a.example",
    });
  });

  test("the recipient is unknown if there are several", () => {
    expect(read("email.bounced", { to: ["a@example.com", "b@example.com"] })?.recipient).toBe(null);
    expect(read("email.bounced", { to: "a@example.com" })?.recipient).toBe("a@example.com");
  });

  test("another body, or none with an id, is no callback", () => {
    expect(read("email.opened", {}, null)).toBe(undefined);
    expect(readResendMessages({ type: "email.opened" }, "msg_1")).toBe(null);
    expect(readResendMessages([], "msg_1")).toBe(null);
    expect(readResendMessages({ type: "email.opened", data: {} }, "msg_1")?.[0]?.at).toBeNaN();
  });
});
