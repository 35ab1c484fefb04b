// Which callbacks are about a message that the run has sent.
import { expect, test } from "vitest";
import { isOwnMessage, type ClaimedMessage, type SentRun } from "#policy/inbound/callbacks/owned-message.ts";

const run: SentRun = {
  ...{ action: "send", type: "email", definition: "d", incarnation: 1, attempt: 2, connection: "main" },
  ...{ provider: "sendgrid", messageId: "m-2", isEnded: false },
};
const claimed: ClaimedMessage = {
  ...{ reference: { attempt: 2 }, messageId: "m-2", provider: "sendgrid", actionType: "email" },
  ...{ connection: ["main", "con_1"], isSameMessage: (sent, reported) => sent === reported },
};

test.each<readonly [string, boolean, Partial<SentRun>, Partial<ClaimedMessage>]>([
  ["the message of the last attempt", true, {}, {}],
  ["a message that names no attempt", true, {}, { reference: { attempt: null } }],
  ["a message of an earlier attempt, which has another id", true, {}, { reference: { attempt: 1 }, messageId: "m-1" }],
  ["the connection's id in the config", true, { connection: "con_1" }, {}],
  ["a config without a connection", true, { connection: null }, {}],
  ["a run whose result is not known yet", true, { messageId: null, provider: null }, { messageId: "m-9" }],
  ["a callback without a message id", true, {}, { messageId: null }],
  ["a receipt of a device, which names no connection", true, {}, { provider: null, connection: null, messageId: null }],
  ["the id of the last attempt with the number of an earlier one", false, {}, { reference: { attempt: 1 } }],
  ["another id with the number of the last attempt", false, {}, { messageId: "m-1" }],
  ["another id without a number", false, {}, { reference: { attempt: null }, messageId: "m-1" }],
  ["an attempt that was not made", false, { messageId: null }, { reference: { attempt: 3 } }],
  ["attempt 0", false, { messageId: null }, { reference: { attempt: 0 } }],
  ["a run that was never attempted", false, { attempt: 0, messageId: null }, { reference: { attempt: null } }],
  ["a run of another type", false, { type: "webhook" }, {}],
  ["a run that used another provider", false, { provider: "resend" }, {}],
  ["a run that used another connection", false, { connection: "other" }, {}],
])("%s: %s", (_what, expected, more, said) => {
  expect(isOwnMessage({ ...run, ...more }, { ...claimed, ...said })).toBe(expected);
});
