// Tests packed rows: a body is unpacked unchanged, or refused with the reason.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { deflateSync } from "node:zlib";
import { LEAF_BYTES, packBody, unpackBody } from "#objects/execution/stored/packing.ts";
import { headOf, identityIn } from "#objects/execution/heads/head-text.ts";
import { WORDS } from "#objects/execution/stored/dictionary.ts";
import golden from "#test/golden/head-rows.json" with { type: "json" };
import { namingPattern } from "#test/support/matchers/naming.ts";

/** The maximum size of a row of this table in a B-tree leaf. A larger row needs overflow pages. */
const STANDS_IN_ITS_LEAF = 1_002;
const bytesOf = (base64: string): ArrayBuffer => new Uint8Array(Buffer.from(base64, "base64")).buffer;

describe("a packed row", () => {
  it.each([
    ["nothing", ""],
    ["a letter", "a"],
    ["what is said in every row", WORDS],
    ["words of all scripts", "é 漢字 🎉 \u0000 \ud800".repeat(50)],
    ["much that is the same", "ab".repeat(200_000)],
    ["much that is not", Array.from({ length: 20_000 }, (_, n) => Math.sin(n).toString(36)).join()],
  ])("of %s comes out as it went in", (_, text) => {
    expect(unpackBody(packBody(text))).toBe(text.toWellFormed());
  });

  it("of an ordinary head fits in its B-tree leaf", () => {
    expect(golden.text.length).toBeGreaterThan(2_000);
    expect(packBody(golden.text).byteLength).toBeLessThan(STANDS_IN_ITS_LEAF / 2);
  });

  it("that slightly exceeds its leaf is compressed harder, and fits", () => {
    const lives = Array.from({ length: 60 }, (_, n) => grown(n));
    const quick = (text: string): number =>
      deflateSync(text, { dictionary: Buffer.from(WORDS), level: 3 }).byteLength + 1;
    const hardly = lives.filter((text) => quick(text) > LEAF_BYTES && quick(text) < LEAF_BYTES * 1.08);
    expect(hardly.length).toBeGreaterThan(0);
    for (const text of hardly) {
      expect(packBody(text).byteLength).toBeLessThanOrEqual(LEAF_BYTES);
      expect(unpackBody(packBody(text))).toBe(text);
    }
    // A body that is far too large for a leaf is not compressed harder.
    for (const text of lives) if (quick(text) <= LEAF_BYTES) expect(packBody(text).byteLength).toBe(quick(text));
  });

  it("that is truncated, overwritten or changed in one bit is refused", () => {
    const body = packBody(golden.text);
    const changed = new Uint8Array(body.slice(0));
    changed[200] = (changed[200] ?? 0) ^ 1;
    const overwritten = new Uint8Array(body.slice(0)).fill(7, 1);
    for (const damaged of [body.slice(0, 100), body.slice(0, 1), changed.buffer, overwritten.buffer]) {
      expect(() => headOf(damaged)).toThrow(namingPattern(damaged.byteLength));
      expect(identityIn(damaged)).toBeNull();
    }
  });

  it("of a newer format is refused with the advice to deploy newer code", () => {
    const newer = new Uint8Array(packBody(golden.text));
    newer[0] = 2;
    expect(() => headOf(newer.buffer)).toThrow(namingPattern(2, 1));
    expect(() => headOf(new ArrayBuffer(0))).toThrow(namingPattern(0));
  });
});

describe("rows of each format", () => {
  it("contain the same head, as text and packed", () => {
    const head = headOf(golden.text);
    for (const body of Object.values(golden.packed)) expect(headOf(bytesOf(body))).toEqual(head);
    expect(identityIn(bytesOf(golden.packed[1]))).toEqual(identityIn(golden.text));
  });

  it("need this dictionary: with another one they are unreadable", () => {
    expect(createHash("sha256").update(WORDS).digest("hex")).toBe(
      "2bf81f9d0d4eed47c955a167254fceec3832c6cf81409e71cdfa11b0054235cc",
    );
  });
});

/** Creates a head whose journal has this many settlements. */
function grown(count: number): string {
  const { state, tail, pages } = headOf(golden.text);
  const more = Array.from({ length: count }, (_, n) => {
    const at = 1_795_100_398_857 + n * n * 37;
    const result = { statusCode: 200, headers: { "content-type": "application/json" }, data: { ok: true } };
    return {
      seq: n + 3,
      n: 0,
      at,
      kind: "run_settled",
      run: `${n}.0`,
      attempt: 1,
      outcome: { ok: true, result, startedAt: at - 15, endedAt: at - 2 },
    };
  });
  return JSON.stringify({ state, tail: [...tail, ...more], pages });
}
