// Twilio's status callbacks, as its documentation shows them.
import { describe, expect, test } from "vitest";
import { readTwilioMessages } from "#policy/inbound/callbacks/twilio-messages.ts";
import { referenceText, REFERENCE_FIELD } from "#schema/outgoing/run-reference.ts";
import type { JsonObject } from "#schema/json.ts";

const reference = { execution: "exe_1", run: "3.0", attempt: 2 };
const text = referenceText(reference);

describe("Twilio", () => {
  const url = `https://api.example/v1/hooks/twilio/t/main?${REFERENCE_FIELD}=${text}`;
  const read = (form: JsonObject) => readTwilioMessages({ MessageSid: "SM1", ...form }, url, 5)?.[0];

  test.each([
    ["queued", null, true],
    ["sent", "sms_sent", false],
    ["delivered", "sms_delivered", true],
    ["undelivered", "sms_undelivered", true],
    ["failed", "sms_failed", true],
    ["read", "sms_read", true],
  ])("%s is %s", (MessageStatus, event, isSent) => {
    expect(read({ MessageStatus })).toMatchObject({
      id: `report/twilio/SM1/${MessageStatus}`,
      event,
      isSent,
      at: 5,
      reference,
    });
  });

  test("a failure has its error code, and STOP suppresses the number", () => {
    expect(read({ MessageStatus: "failed", ErrorCode: "30005", ErrorMessage: "unknown" })).toMatchObject({
      code: "30005",
      reason: "unknown",
      details: { errorCode: "30005" },
      suppression: null,
    });
    const stopped = read({ MessageStatus: "undelivered", ErrorCode: "21610", To: "whatsapp:+14155550123" });
    expect(stopped).toMatchObject({ suppression: "unsubscribe", recipient: "+14155550123" });
    expect(read({ MessageStatus: "delivered" })).toMatchObject({ details: {}, recipient: null });
  });

  test("the older names of the fields are read as well", () => {
    expect(readTwilioMessages({ SmsSid: "SM2", SmsStatus: "delivered" }, url, 5)?.[0]?.id).toBe(
      "report/twilio/SM2/delivered",
    );
    expect(readTwilioMessages({ MessageSid: "SM2" }, url, 5)).toBe(null);
    expect(readTwilioMessages({ MessageStatus: "sent" }, url, 5)).toBe(null);
  });
});
