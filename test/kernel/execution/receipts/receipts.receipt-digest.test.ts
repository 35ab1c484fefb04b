// Digests of twelve letters for requests: two different requests have different digests.
import { expect, test } from "vitest";
import { DIGEST_LETTERS, digestOf, findDigest } from "#kernel/execution/receipts/receipts.ts";

const digest = (inputId: string, fingerprint = "f") => digestOf({ inputId, fingerprint });

test("has a fixed length, and letters that JSON leaves as they are", () => {
  for (const id of ["", "e-1", "Ü😀", "x".repeat(500)]) expect(digest(id)).toMatch(/^[\w-]{12}$/);
  expect(digest("e-1")).toHaveLength(DIGEST_LETTERS);
});

test("is the same for ever: what was stored is read by later versions", () => {
  expect([digest("e-1"), digest("order-4711/paid", "9f86d081884c7d65")]).toMatchInlineSnapshot(`
    [
      "Ii1QQr0RjkTu",
      "rpXX0RqAGk13",
    ]
  `);
});

test("differs by what the id was used for, and for none as it always was", () => {
  const all = (["start", "event", "verb"] as const).map((kind) => digestOf({ inputId: "e-1", fingerprint: "f", kind }));
  expect([...all, digest("e-1")]).toMatchInlineSnapshot(`
    [
      "dNGgCIf19kTu",
      "LzyJd3w1ikTu",
      "e08FreirDkTu",
      "Ii1QQr0RjkTu",
    ]
  `);
  expect(new Set(all.map((each) => each.slice(0, 9))).size).toBe(3);
});

test("differs for ids of every usual kind", () => {
  const ids = new Set<string>();
  for (let n = 0; n < 30_000; n++) {
    for (const id of [`e-${n}`, `${n}`, `order/${n}/paid`, String.fromCharCode(n, n * 7)])
      ids.add(digest(id).slice(0, 9));
  }
  expect(ids.size).toBe(120_000);
});

test("spreads over all letters at each place", () => {
  const seen = Array.from({ length: DIGEST_LETTERS }, () => new Set<string>());
  for (let n = 0; n < 2_000; n++) [...digest(`e-${n}`, `f-${n}`)].forEach((letter, at) => seen[at]?.add(letter));
  expect(seen.map(({ size }) => size)).toEqual(Array.from({ length: DIGEST_LETTERS }, () => 64));
});

test("is found among others, with the same body or another", () => {
  const all = digest("a") + digest("b", "f") + digest("c");
  expect(findDigest(all, digest("b", "f"))).toBe("same");
  expect(findDigest(all, digest("b", "g"))).toBe("other_body");
  expect(findDigest(all, digest("d"))).toBeNull();
  expect(findDigest("", digest("d"))).toBeNull();
});

test("is not found across two neighbours", () => {
  const id = "ABCDEFGHI";
  expect(findDigest(`---${id}---------`, `${id}xyz`)).toBeNull();
  expect(findDigest(`---${id}---------${"-".repeat(3)}${id}xyz`.slice(0, 24) + `${id}xyz`, `${id}xyz`)).toBe("same");
});
