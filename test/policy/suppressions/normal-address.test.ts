// Normal addresses: one form for each way to write an address, and null for texts that are none.
import { describe, expect, it } from "vitest";
import { normalAddress } from "#policy/suppressions/normal-address.ts";

describe("an e-mail address", () => {
  it.each([
    ["ada@example.com", "ada@example.com"],
    ["  Ada.Lovelace@Example.COM ", "ada.lovelace@example.com"],
    ["Ada <Ada@example.com>", "ada@example.com"],
    ["ada@Bücher.example", "ada@xn--bcher-kva.example"],
    ['"a@b"@example.com', '"a@b"@example.com'],
    ["", null],
    ["ada", null],
    ["@example.com", null],
    ["ada@", null],
    ["ada@ex ample.com", null],
    ["ada@exa/mple.com", null],
    ["ada@1.2.3.999", null],
    ["a<da@example.com", null],
    [`${"a".repeat(250)}@example.com`, null],
  ])("%j becomes %j", (text, normal) => expect(normalAddress("email", text)).toBe(normal));
});

describe("a phone number", () => {
  it.each([
    ["+14155550123", "+14155550123"],
    [" +1 (415) 555-0123 ", "+14155550123"],
    ["0049 30 1234567", "+49301234567"],
    ["whatsapp:+14155550123", "+14155550123"],
    ["415 555 0123", null],
    ["+0123456789", null],
    ["+1234567890123456", null],
    ["", null],
  ])("%j becomes %j", (text, normal) => expect(normalAddress("sms", text)).toBe(normal));
});

describe("a push token", () => {
  it.each([
    [" fcm:Token ", "fcm:Token"],
    ["https://push.example/abc", "https://push.example/abc"],
    ["", null],
    ["t".repeat(4_097), null],
  ])("%j becomes %j", (text, normal) => expect(normalAddress("push", text)).toBe(normal));
});
