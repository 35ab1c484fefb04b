import { expect, test } from "vitest";
import {
  claimText,
  maskedAddress,
  parseClaim,
  unsubscribeMessage,
} from "#policy/inbound/callbacks/unsubscribe-claim.ts";

const claim = { tenant: "acme", channel: "email", address: "ada@example.com", execution: "exe_1", run: "1.0" } as const;

test("the text of a claim never changes, because links are used for years", () => {
  expect(claimText(claim)).toBe('["acme","email","ada@example.com","exe_1","1.0"]');
  expect(parseClaim(claimText(claim))).toEqual(claim);
});

test.each(["", "x", "null", "[]", '["acme","fax","a","b","c"]', '["acme","email","a","b"]', "{}"])(
  "%j is no claim",
  (text) => expect(parseClaim(text)).toBeNull(),
);

test("a used link is a report about its run, with the same id each time", () => {
  const message = unsubscribeMessage(claim, 7);
  expect(message).toMatchObject({
    event: "email_unsubscribed",
    reference: { execution: "exe_1", run: "1.0", attempt: null },
    recipient: "ada@example.com",
    at: 7,
    suppression: null,
  });
  expect(unsubscribeMessage(claim, 8).id).toBe(message.id);
});

test.each([
  ["ada@example.com", "a***@example.com"],
  ["a@b@example.com", "a***@example.com"],
  ["nothing", "***"],
])("%s is shown as %s", (address, shown) => expect(maskedAddress(address)).toBe(shown));
