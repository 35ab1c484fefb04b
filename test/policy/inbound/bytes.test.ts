// Tests the encodings of signatures, and invalid texts.
import { describe, expect, test } from "vitest";
import {
  fromBase64,
  fromBase64Url,
  fromDer,
  fromHex,
  isEqual,
  joinBytes,
  textOf,
  utf8,
} from "#policy/inbound/bytes.ts";

const list = (bytes: Uint8Array | null) => bytes && [...bytes];

test.each([
  ["", []],
  ["00ff", [0, 255]],
  ["0", null],
  ["zz", null],
])("hex %j is decoded as %j", (text, bytes) => expect(list(fromHex(text))).toEqual(bytes));

test("base64 is decoded in both alphabets, and invalid text gives null", () => {
  expect(list(fromBase64("/+8="))).toEqual([255, 239]);
  expect(list(fromBase64Url("_-8"))).toEqual([255, 239]);
  expect(fromBase64("%")).toBe(null);
});

test("texts and bytes are joined and decoded as UTF-8", () => {
  expect(textOf(joinBytes("ä.", Uint8Array.of(0x62), ""))).toBe("ä.b");
  expect(textOf(Uint8Array.of(0xff))).toBe(null);
  expect([isEqual(utf8("a"), utf8("a")), isEqual(utf8("a"), utf8("ab")), isEqual(utf8("ab"), utf8("a"))]).toEqual([
    true,
    false,
    false,
  ]);
});

describe("a signature in DER", () => {
  const number = (...digits: number[]) => [0x02, digits.length, ...digits];
  const sequence = (...inside: number[]) => Uint8Array.of(0x30, inside.length, ...inside);

  test("is converted to two numbers of 32 bytes, without the sign byte", () => {
    const raw = fromDer(sequence(...number(0, 0x80, ...Array(31).fill(7)), ...number(5)));
    expect(list(raw)).toEqual([0x80, ...Array(31).fill(7), ...Array(31).fill(0), 5]);
  });

  test.each<[string, Uint8Array]>([
    ["nothing", new Uint8Array()],
    ["no sequence", Uint8Array.of(0x31, 6, 2, 1, 1, 2, 1, 1)],
    ["another length", Uint8Array.of(0x30, 7, 2, 1, 1, 2, 1, 1)],
    ["one number", sequence(...number(1))],
    ["an invalid number", sequence(3, 1, 1, ...number(1))],
    ["an empty number", sequence(2, 0, ...number(1))],
    ["a number that is cut off", sequence(...number(1), 2, 9, 1)],
    ["a number that is too long", sequence(...number(1, ...Array(32).fill(1)), ...number(1))],
    ["trailing bytes", sequence(...number(1), ...number(1), 0)],
    ["no second number", sequence(...number(1), 3, 1, 1)],
  ])("is null for %s", (_what, der) => expect(fromDer(der)).toBe(null));
});
