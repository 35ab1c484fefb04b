// Tokens in the addresses of push receipts.
import { expect, test } from "vitest";
import { toBase64Url, utf8 } from "#policy/inbound/bytes.ts";
import { parseReceiptToken, receiptToken } from "#policy/inbound/callbacks/receipt-token.ts";

const claim = { tenant: "acme", execution: "exe_1_p101", run: "3.0", attempt: 2, until: 1_800_000_000_000 };
const proof = new Uint8Array(32).fill(7);

test("a token is read as it was written", () => {
  expect(parseReceiptToken(receiptToken(claim, proof))).toEqual({ claim, proof });
});

const other = (text: string) => `${toBase64Url(utf8(text))}.${toBase64Url(proof)}`;
test.each([
  "",
  "a.b",
  receiptToken(claim, new Uint8Array(31)),
  other("acme/trg_1/1"),
  other("receipt/acme/exe_1/3.0/2"),
  `/.${toBase64Url(proof)}`,
  `${toBase64Url(Uint8Array.of(0xff))}.${toBase64Url(proof)}`,
  `A.${toBase64Url(proof)}`,
])("%s is no token", (token) => expect(parseReceiptToken(token)).toBe(null));
