// Payloads of the events that callbacks become.
import { expect, test } from "vitest";
import { payloadOf } from "#policy/inbound/callbacks/provider-message.ts";

const reference = { execution: "exe_1", run: "3.0", attempt: 2 };

test("the payload has the same fields for every provider; DocuSign's is its own", () => {
  const message = {
    ...{ id: "x", named: "x", event: "email_bounced", isSent: true, at: 0, reference, messageId: "m", recipient: "a" },
    ...{ code: "c", reason: "r", details: { type: "hard" }, suppression: null, fault: null },
  };
  const origin = { action: "send", run: "3.0", attempt: 2 };
  expect(payloadOf({ ...message, isWholePayload: false }, origin)).toEqual({
    ...{ actionId: "send", run: "3.0", attempt: 2, messageId: "m", recipient: "a", at: "1970-01-01T00:00:00.000Z" },
    ...{ code: "c", reason: "r", type: "hard" },
  });
  expect(payloadOf({ ...message, isWholePayload: true }, origin)).toEqual({ type: "hard" });
});
