// Ids: their prefixes, how they are made, what they contain, and which ids clients may send. Time and randomness are
// arguments, keys are digests; `src/services/cells/placement.ts` decides an execution's cell.
import { z } from "zod";
import type { DeadLetterName } from "./dead-letter-filter.ts";
import { ID_CHARS_MAX } from "./limits/api-requests.ts";

/** The prefixes, before the underscore. */
export type IdPrefix =
  | "exe" // an execution
  | "def" // a version of a definition
  | "con" // a connection
  | "trg" // a trigger
  | "tok" // the tokens of a config without a connection
  | "alc" // an alert channel
  | "op" // an operation
  | "rec" // a recurring action
  | "tsk" // a task
  | "dlv" // one execution of an attempt, as a connection distinguishes them
  | "dl" // a dead letter
  | "evt" // an event
  | "inp" // an input
  | "key" // an API key
  | "aud" // an audit entry
  | "req"; // a request

/** Crockford's base 32: sorts like the bytes it encodes, and has no similar letters. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** An id that sorts by time: 48 bits of milliseconds, 80 random bits. */
export function timeOrderedId(prefix: IdPrefix, now: number, chance: Uint8Array): string {
  return `${prefix}_${timePart(now)}${base32(chance.subarray(0, 10))}`;
}

/** The same digest of a key always gives the same id. */
export function keyedId(prefix: "exe" | "op" | "rec", digest: Uint8Array): string {
  return `${prefix}_k${keyLetters(digest)}`;
}

/** The digest identifies actions with this dedup key, the time the latest of them. */
export function dedupedId(digest: Uint8Array, now: number): string {
  return `exe_d${keyLetters(digest)}${timePart(now)}`;
}

/** An id that ends in the number of its pool cell, so that routing needs no lookup. */
export function pooledId(id: string, cell: number): string {
  return `${id}_p${cell}`;
}

/** A dead letter's id contains its execution and run, so no lookup is needed. */
export function deadLetterId(execution: string, run: string): string {
  return `dl_${afterPrefix(execution)}.${run}`;
}

/**
 * A run has one task: its id is derived from the run's. `incarnation` if an earlier incarnation of the execution has
 * that id.
 */
export function taskId(execution: string, run: string, incarnation: number | null = null): string {
  return `tsk_${afterPrefix(execution)}.${run}${incarnation === null ? "" : `.${incarnation}`}`;
}

/** The audit entry's id of a change that may be recorded twice, derived from the changed thing. */
export function auditId(target: string): string {
  return `aud_${target}`;
}

function afterPrefix(execution: string): string {
  return execution.replace(/^exe_/, "");
}

/** Whether a text has the form of an id; no name may begin like one. */
export function isIdOf(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`);
}

/** The number of its pool cell in the id; null for an execution with a cell of its own. */
export function poolCell(execution: string): string | null {
  return /_p(\d{1,4})$/.exec(execution)?.[1] ?? null;
}

/** The digest shared by all actions with the same dedup key; null for an execution without one. */
export function dedupDigest(execution: string): string | null {
  return /^exe_d([0-9A-Z]{26})/.exec(execution)?.[1] ?? null;
}

/** The digest precedes the time, the cell is last. */
const TIMED =
  /^exe_(?:d[0-9A-Z]{26}([0-9A-HJKMNP-TV-Z]{10})|([0-9A-HJKMNP-TV-Z]{10})[0-9A-HJKMNP-TV-Z]{16})(?:_p\d+)?$/;

/** A key in an id: the first half of its digest. */
export function keyLetters(digest: Uint8Array): string {
  return base32(digest.subarray(0, 16));
}

/** The client's key in a pooled execution's id; null if no key has chosen the id. */
export function keyOf(execution: string): string | null {
  return (
    /^exe_(?:k|d(?=.{36}_))([0-9A-HJKMNP-TV-Z]{26})(?:[0-9A-HJKMNP-TV-Z]{10})?_p\d{1,4}$/.exec(execution)?.[1] ?? null
  );
}

/** The value of one letter of an id's digest: five bits. */
export function base32Value(text: string, at: number): number {
  return ALPHABET.indexOf(text.charAt(at));
}

export function base32Digit(value: number): string {
  return ALPHABET.charAt(value);
}

/** When an execution's id was made; null if it is a hash, or a client's own. */
export function timeOf(execution: string): number | null {
  const [, deduped, plain] = TIMED.exec(execution) ?? [];
  const time = deduped ?? plain;
  return time === undefined ? null : Array.from(time).reduce((sum, letter) => sum * 32 + ALPHABET.indexOf(letter), 0);
}

/** Null for a text that cannot be a dead letter's id. */
export function parseDeadLetterId(id: string): DeadLetterName | null {
  const [, execution, run] = /^dl_(.+)\.(\d+\.\d+)$/.exec(id) ?? [];
  return execution === undefined || run === undefined ? null : { execution: `exe_${execution}`, run };
}

/** A run as a journey's monitor names it: `<execution>.<run>`. */
export function parseQueueItemId(id: string): { readonly execution: string; readonly run: string } | null {
  const [, execution, run] = /^(exe_.+)\.(\d+\.\d+)$/.exec(id) ?? [];
  return execution === undefined || run === undefined ? null : { execution, run };
}

export const executionIdText = idText(/^exe_[A-Za-z0-9_-]{1,96}$/, "an execution", "exe_01KABCDEFGHJKMNPQRSTVWXYZ0");
/** Without an underscore, so that a client cannot name a pool cell. */
export const ownExecutionIdText = z
  .string()
  .regex(/^exe_[A-Za-z0-9-]{1,80}$/, { message: "must be exe_ and then 1 to 80 letters, digits or -" });
export const deadLetterIdText = idText(
  /^dl_[A-Za-z0-9_-]{1,96}\.\d{1,9}\.\d{1,9}$/,
  "a dead letter",
  "dl_01KABCDEFGHJKMNPQRSTVWXYZ0.3.0",
);
export const taskIdText = idText(/^tsk_[A-Za-z0-9_.-]{1,120}$/, "a task", "tsk_01KABCDEFGHJKMNPQRSTVWXYZ0.3.0");
export const operationIdText = idText(/^op_[0-9A-Za-z]{1,60}$/, "an operation", "op_01KABCDEFGHJKMNPQRSTVWXYZ0");
export const connectionIdText = idText(/^con_[0-9A-Za-z]{1,60}$/, "a connection", "con_01KABCDEFGHJKMNPQRSTVWXYZ0");
export const recurringIdText = idText(
  /^rec_[0-9A-Za-z]{1,60}$/,
  "a recurring action",
  "rec_01KABCDEFGHJKMNPQRSTVWXYZ0",
);
export const triggerIdText = idText(/^trg_[A-Za-z0-9]{1,60}$/, "a trigger", "trg_01KABCDEFGHJKMNPQRSTVWXYZ0");
/** A delivery's number at its trigger. */
export const deliveryIdText = idText(/^trd_\d{1,15}$/, "a delivery", "trd_17");
export const alertChannelIdText = idText(
  /^alc_[A-Za-z0-9]{1,60}$/,
  "an alert channel",
  "alc_01KABCDEFGHJKMNPQRSTVWXYZ0",
);
/** The `seq` at which it began, and its position among those. */
export const runIdText = z.string().regex(/^\d{1,9}\.\d{1,9}$/, { message: "must be a run's id such as 3.0" });

/** Ids that the engine itself sends: if a client used one first, the engine's own event would count as a repeat. */
const OWN_IDS = /^(?:child\/|task\/|docusign\/|enrolment\/|recurring\/|trigger\/|run:)/;

export function isOwnId(id: string): boolean {
  return OWN_IDS.test(id);
}

export const ownIdMessage =
  "must not begin with child/, task/, docusign/, enrolment/, recurring/, trigger/ or run:, which are for the engine";

/** An event's id, as its sender may choose it. */
export const sentEventId = z
  .string()
  .min(1)
  .max(ID_CHARS_MAX)
  .refine((id) => !isOwnId(id), { message: ownIdMessage });

function idText(form: RegExp, whose: string, example: string) {
  const message = `must be ${whose}'s id, which begins with ${example.slice(0, example.indexOf("_") + 1)}`;
  return z
    .string()
    .regex(form, { message })
    .meta({ examples: [example] });
}

function timePart(now: number): string {
  let time = "";
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = ALPHABET.charAt(rest % 32) + time;
  return time;
}

function base32(bytes: Uint8Array): string {
  let out = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      out += ALPHABET.charAt((held >> bits) & 31);
    }
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? out + ALPHABET.charAt((held << (5 - bits)) & 31) : out;
}
