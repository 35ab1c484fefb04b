// Tests the format of short-lived tokens.
import { expect, test } from "vitest";
import { parseToken, tokenText } from "#policy/access/short-lived-token.ts";
import { toBase64Url, utf8 } from "#policy/inbound/bytes.ts";

const claim = {
  tenant: "acme",
  key: "key_01",
  scopes: ["read", "payloads"],
  until: 1_800_000_000_000,
  execution: null,
};
const proof = new Uint8Array(32).fill(7);

test.each([claim, { ...claim, scopes: ["tasks"], execution: "exe_1_p101" }])(
  "a token is parsed as issued: %j",
  (issued) => {
    expect(parseToken(tokenText(issued, proof))).toEqual({ claim: issued, proof });
  },
);

const other = (text: string) => `est_${toBase64Url(utf8(text))}.${toBase64Url(proof)}`;
test.each([
  "",
  "est_a.b",
  tokenText(claim, new Uint8Array(31)),
  tokenText(claim, proof).slice("est_".length),
  other("receipt/acme/exe_1/3.0/2/1"),
  other("access/acme/key_01//1/"),
  other("access/acme/key_01/read/1/exe_1/more"),
  `est_/.${toBase64Url(proof)}`,
  `est_${toBase64Url(Uint8Array.of(0xff))}.${toBase64Url(proof)}`,
  `est_A.${toBase64Url(proof)}`,
])("%s is no token", (token) => expect(parseToken(token)).toBe(null));
