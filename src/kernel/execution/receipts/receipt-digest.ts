// The digest of a receipt: twelve characters, nine of the input's id and three of its body. It detects repeats older
// than the full receipts. Two of ten thousand ids collide once in hundreds of millions of days.
import type { Receipt, ReceiptKind } from "#schema/engine/state.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BITS = 6;
const ID_LETTERS = 9;
const BODY_LETTERS = 3;

export const DIGEST_LETTERS = ID_LETTERS + BODY_LETTERS;

/** Mixed into the id, so that an id of one kind cannot imitate one of another. */
const SALTS: { readonly [kind in ReceiptKind]: number } = { start: 1, event: 2, verb: 3 };

/** A receipt without a kind has an id that the engine generated. */
export function digestOf({ inputId, fingerprint, kind }: Pick<Receipt, "inputId" | "fingerprint" | "kind">): string {
  return spell(inputId, ID_LETTERS, kind ? SALTS[kind] : 0) + spell(fingerprint, BODY_LETTERS, 0);
}

/** The digest with the same id; null if there is none. */
export function findDigest(digests: string, digest: string): "same" | "other_body" | null {
  const id = digest.slice(0, ID_LETTERS);
  let at = digests.indexOf(id);
  // The letters of two neighbors may also match.
  while (at >= 0 && at % DIGEST_LETTERS !== 0) at = digests.indexOf(id, at + 1);
  if (at < 0) return null;
  return digests.startsWith(digest, at) ? "same" : "other_body";
}

/** Two sums of 32 bits each, finalized as in MurmurHash3. It is not a security measure, so it needs no secret. */
function spell(text: string, letters: number, salt: number): string {
  let high = 0xdeadbeef ^ salt;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  const first = mix(high ^ Math.imul(low, 0x85ebca6b));
  const second = mix(low ^ Math.imul(first, 0xc2b2ae35));
  return (letter(first, 5) + letter(second, 5)).slice(0, letters);
}

function mix(sum: number): number {
  const once = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}

function letter(bits: number, count: number): string {
  return Array.from({ length: count }, (_, n) => LETTERS.charAt((bits >>> (n * BITS)) & 63)).join("");
}
