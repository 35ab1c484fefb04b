// Tests of charsets in workerd, whose text decoder differs from Node's.
import { expect, it } from "vitest";
import { readBody } from "#runners/http/body.ts";

const bytes = (...codes: number[]) => new Uint8Array(codes);

it.each([
  ["text/plain; charset=iso-8859-1", bytes(0x5a, 0xfc), "Zü"],
  ["text/plain; charset=windows-1252", bytes(0x80, 0x92), "€’"],
  ["text/plain; charset=utf-16", bytes(0x5a, 0, 0xfc, 0), "Zü"],
  ["text/plain; charset=utf-16", bytes(0xfe, 0xff, 0, 0x5a), "Z"],
  ["text/plain; charset=shift_jis", bytes(0x93, 0xfa), "日"],
  ["text/plain; charset=klingon", bytes(0x5a, 0xff), "Z\ufffd"],
  ["text/plain", bytes(0xef, 0xbb, 0xbf, 0x5a), "Z"],
])("%s is decoded", async (type, body, text) => {
  const response = new Response(body, { headers: { "Content-Type": type } });
  expect(await readBody(response, 100, new AbortController().signal)).toEqual({ text, incomplete: null });
});
