// Receipts of inputs: an input that is sent twice is processed once. An input with a known id but another body is
// refused. The latest receipts are stored whole. Older ones are stored for a day as digests of twelve characters: nine
// for the id and three for the body.
import type { Command } from "#schema/engine/input.ts";
import type { ExecutionState, OlderReceipts, Receipt, ReceiptKind } from "#schema/engine/state.ts";
import { OLDER_RECEIPTS_MAX, RECEIPTS_MAX, RECEIPT_GROUP_MS, RECEIPT_KEPT_MS } from "#schema/limits/executions.ts";
import { refuse, type Refusal } from "#schema/refusal.ts";
import { iso } from "../current-step.ts";

/** The fields that identify an input. `kind`: the kind of the input, such as a start or an event. */
export type ReceivedInput = Pick<Receipt, "inputId" | "fingerprint" | "unkeyed"> & { readonly kind: Command["kind"] };
type ReceiptLists = Pick<ExecutionState, "receipts" | "olderReceipts">;
const NONE: readonly OlderReceipts[] = [];
type Refused = { readonly ok: false; readonly refusal: Refusal };
/** `seq`: the number of the step that first applied the input; null if only the digest of its receipt is stored. */
export type Repeat = { readonly ok: true; readonly seq: number | null };

/**
 * Compares an input with the stored receipts. Returns the earlier receipt, or a refusal if the earlier input had the
 * same id and another body. Returns null if the input is new.
 */
export function repeatOf(state: ReceiptLists, asked: ReceivedInput): Repeat | Refused | null {
  const known = findReceipt(state, asked);
  if (known === null) return null;
  if (known.isSame) return { ok: true, seq: known.seq };
  return refuse({
    code: "idempotency_conflict",
    message: `the Idempotency-Key or event id ${asked.inputId} was already used with a different body`,
    hint: "Use a new key for a new request. To repeat an earlier request, send it unchanged.",
  });
}

/** Whether an input of this kind with this id was accepted before, whatever its body was. */
export function hasAccepted(state: ReceiptLists, inputId: string, kind: Command["kind"]): boolean {
  return findReceipt(state, { inputId, kind, fingerprint: "" }) !== null;
}

/**
 * Refuses an input with an idempotency key if there is no room for its receipt. Storing it would remove a digest before
 * its promised time. A repeat of that older input would then be processed twice.
 */
export function refuseForgetting(
  { receipts, olderReceipts = NONE }: ReceiptLists,
  asked: ReceivedInput,
  now: number,
): Refused | null {
  if (asked.unkeyed || receipts.length < RECEIPTS_MAX || receipts.some(({ unkeyed }) => unkeyed)) return null;
  const older = unexpired(olderReceipts, now);
  const [first] = older;
  if (!first || countOf(older) < OLDER_RECEIPTS_MAX) return null;
  return refuse({
    code: "receipts_full",
    message: `within a day the execution accepted ${RECEIPTS_MAX + OLDER_RECEIPTS_MAX} requests with an Idempotency-Key or event id. This is the limit (RECEIPTS_MAX, OLDER_RECEIPTS_MAX). The execution accepts more after ${iso(first.until)}`,
    hint: "Retry later, or combine several events into one. If a duplicate is harmless, omit the Idempotency-Key and the event id.",
  });
}

/**
 * Whether an input needs a receipt. An observation without a key or revision needs none, because repeating it changes
 * nothing.
 */
export function leavesReceipt(
  input: Pick<ReceivedInput, "kind" | "unkeyed"> & { readonly ifRevision?: number | null },
): boolean {
  return input.kind !== "observe" || !input.unkeyed || input.ifRevision !== null;
}

export function receiptOf({ inputId, fingerprint, unkeyed, kind }: ReceivedInput, seq: number): Receipt {
  return { inputId, fingerprint, seq, ...(unkeyed ? { unkeyed } : { kind: receiptKind(kind) }) };
}

function receiptKind(kind: Command["kind"]): ReceiptKind {
  return kind === "start" || kind === "event" ? kind : "verb";
}

/**
 * Adds a receipt and removes the oldest one if there are too many. The first receipt is never removed, because it
 * belongs to the start, which may be repeated at any time.
 */
export function keepReceipt(
  { receipts, olderReceipts = NONE }: ReceiptLists,
  mine: Receipt,
  now: number,
): ReceiptLists {
  const all = [...receipts, mine];
  const older = unexpired(olderReceipts, now);
  const leaves = indexToRemove(all, older);
  const gone = all.length > RECEIPTS_MAX ? all[leaves] : undefined;
  const left = gone && !gone.unkeyed ? withDigest(older, digestOf(gone), now) : older;
  const kept = { receipts: gone ? all.toSpliced(leaves, 1) : all };
  return left === olderReceipts ? kept : { ...kept, olderReceipts: left };
}

/**
 * The index of the receipt to remove: the oldest after the receipt of the start. If there is no room for another
 * digest, a receipt without a client's key is removed, because it needs no digest.
 */
function indexToRemove(receipts: readonly Receipt[], older: readonly OlderReceipts[]): number {
  const made = countOf(older) < OLDER_RECEIPTS_MAX ? -1 : receipts.findIndex(({ unkeyed }) => unkeyed);
  return made < 0 ? 1 : made;
}

/**
 * Adds the digest of a removed receipt. All digests of one hour expire together, at least RECEIPT_KEPT_MS after they
 * were added.
 */
function withDigest(older: readonly OlderReceipts[], digest: string, now: number): readonly OlderReceipts[] {
  const hour = Math.ceil(now / RECEIPT_GROUP_MS) * RECEIPT_GROUP_MS;
  const until = hour + RECEIPT_KEPT_MS;
  const last = older.at(-1);
  // If the clock was set back, the digest is added to the newest group.
  if (!last || last.until < until) return [...older, { until, digests: digest }];
  return [...older.slice(0, -1), { until: last.until, digests: last.digests + digest }];
}

function unexpired(older: readonly OlderReceipts[], now: number): readonly OlderReceipts[] {
  return older.some(({ until }) => until <= now) ? older.filter(({ until }) => until > now) : older;
}

/** The number of stored digests. A cancellation is never refused, so the number may exceed its limit by one. */
export function olderReceiptsOf({ olderReceipts = NONE }: ReceiptLists): number {
  return countOf(olderReceipts);
}

function countOf(older: readonly OlderReceipts[]): number {
  return older.reduce((sum, { digests }) => sum + digests.length / DIGEST_LETTERS, 0);
}

type FoundReceipt = { readonly isSame: boolean; readonly seq: number | null };

function findReceipt({ receipts, olderReceipts = NONE }: ReceiptLists, asked: ReceivedInput): FoundReceipt | null {
  const { inputId, fingerprint } = asked;
  const mine = receiptKind(asked.kind);
  const receipt = receipts.find(({ inputId: id, kind = mine }) => id === inputId && kind === mine);
  if (receipt) return { isSame: receipt.fingerprint === fingerprint, seq: receipt.seq };
  if (olderReceipts.length === 0) return null;
  const digest = digestOf({ inputId, fingerprint, kind: mine });
  for (const { digests } of olderReceipts) {
    const found = findDigest(digests, digest);
    if (found) return { isSame: found === "same", seq: null };
  }
  return null;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BITS = 6;
const ID_LETTERS = 9;
const BODY_LETTERS = 3;

export const DIGEST_LETTERS = ID_LETTERS + BODY_LETTERS;

/** The start value of each kind's digest, so that the same id has different digests for different kinds of input. */
const SALTS: { readonly [kind in ReceiptKind]: number } = { start: 1, event: 2, verb: 3 };

/** The digest of a receipt. A receipt has no kind if the engine generated its id. */
export function digestOf({ inputId, fingerprint, kind }: Pick<Receipt, "inputId" | "fingerprint" | "kind">): string {
  return digestLetters(inputId, ID_LETTERS, kind ? SALTS[kind] : 0) + digestLetters(fingerprint, BODY_LETTERS, 0);
}

/**
 * Searches the stored digests for this id. "same": found with the same body. "other_body": found with another body.
 * null: not found.
 */
export function findDigest(digests: string, digest: string): "same" | "other_body" | null {
  const id = digest.slice(0, ID_LETTERS);
  let at = digests.indexOf(id);
  // A match may begin in the middle of one digest and end in the next. Only a match at the start of a digest counts.
  while (at >= 0 && at % DIGEST_LETTERS !== 0) at = digests.indexOf(id, at + 1);
  if (at < 0) return null;
  return digests.startsWith(digest, at) ? "same" : "other_body";
}

/**
 * Two sums of 32 bits each, finalized as in MurmurHash3. No decision about security depends on the digest, so it uses
 * no secret.
 */
function digestLetters(text: string, letters: number, salt: number): string {
  let high = 0xdeadbeef ^ salt;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  const first = mix(high ^ Math.imul(low, 0x85ebca6b));
  const second = mix(low ^ Math.imul(first, 0xc2b2ae35));
  return (lettersOf(first, 5) + lettersOf(second, 5)).slice(0, letters);
}

function mix(sum: number): number {
  const once = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}

function lettersOf(bits: number, count: number): string {
  return Array.from({ length: count }, (_, n) => LETTERS.charAt((bits >>> (n * BITS)) & 63)).join("");
}
