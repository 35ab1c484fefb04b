// Ids: their prefixes, their content, and the ids that clients may choose. Time and randomness are arguments of the
// functions. `src/services/cells/ids-and-cells.ts` computes an execution's cell from its id.
import { z } from "zod";
import type { DeadLetterName } from "./dead-letter-filter.ts";
import { ID_CHARS_MAX } from "./limits/api-requests.ts";

/** The prefixes of ids, without the underscore. */
export type IdPrefix =
  | "exe" // an execution
  | "def" // a version of a definition
  | "con" // a connection
  | "trg" // a trigger
  | "tok" // the tokens of a config without a connection
  | "alc" // an alert channel
  | "cal" // a calendar
  | "pol" // a policy
  | "op" // an operation
  | "rec" // a recurring action
  | "tsk" // a task
  | "ses" // a session of a browser
  | "dlv" // a delivery: one execution of an attempt, which a connection counts as one caller
  | "dl" // a dead letter
  | "evt" // an event
  | "inp" // an input
  | "key" // an API key
  | "aud" // an audit entry
  | "req"; // a request

/** Crockford's base 32. Encoded texts sort like the bytes that they encode, and no two digits look alike. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Returns an id that sorts by time: 48 bits of milliseconds, then 80 random bits. */
export function timeOrderedId(prefix: IdPrefix, now: number, chance: Uint8Array): string {
  return `${prefix}_${timePart(now)}${base32(chance.subarray(0, 10))}`;
}

/** Returns the id that belongs to a client's key. The same digest always gives the same id. */
export function keyedId(prefix: "exe" | "op" | "rec", digest: Uint8Array): string {
  return `${prefix}_k${keyLetters(digest)}`;
}

/**
 * Returns the id of an action with a dedup key. The digest identifies the key. The time distinguishes the actions that
 * had this key at different times.
 */
export function dedupedId(digest: Uint8Array, now: number): string {
  return `exe_d${keyLetters(digest)}${timePart(now)}`;
}

/** Returns the id with the number of its pool cell at the end. Routing then needs no lookup. */
export function pooledId(id: string, cell: number): string {
  return `${id}_p${cell}`;
}

/** Returns a dead letter's id. It contains the execution and the run, so that both are found without a lookup. */
export function deadLetterId(execution: string, run: string): string {
  return `dl_${afterPrefix(execution)}.${run}`;
}

/**
 * Returns the id of a run's task; a run has at most one. `incarnation` is null, unless an earlier execution with the
 * same id already has a task with that id.
 */
export function taskId(execution: string, run: string, incarnation: number | null = null): string {
  return `tsk_${afterPrefix(execution)}.${run}${incarnation === null ? "" : `.${incarnation}`}`;
}

/**
 * Returns the id of an audit entry whose change may be recorded twice. Both records get this id, so the table has only
 * one row.
 */
export function auditId(target: string): string {
  return `aud_${target}`;
}

function afterPrefix(execution: string): string {
  return execution.replace(/^exe_/, "");
}

/** Returns true if the text has the form of an id. Names of this form are refused. */
export function isIdOf(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`);
}

/** Returns the number of the pool cell that the id contains. Returns null for an execution with a cell of its own. */
export function poolCell(execution: string): string | null {
  return /_p(\d{1,4})$/.exec(execution)?.[1] ?? null;
}

/** Returns the digest of the dedup key that the id contains. Returns null if the execution has no dedup key. */
export function dedupDigest(execution: string): string | null {
  return /^exe_d([0-9A-Z]{26})/.exec(execution)?.[1] ?? null;
}

/** The id of an action with a dedup key: the key's digest, a time, and the number of the pool cell. */
const TIMED =
  /^exe_(?:d[0-9A-Z]{26}([0-9A-HJKMNP-TV-Z]{10})|([0-9A-HJKMNP-TV-Z]{10})[0-9A-HJKMNP-TV-Z]{16})(?:_p\d+)?$/;

/** Returns the part of an id that identifies a client's key. It is the first half of the key's digest, as letters. */
export function keyLetters(digest: Uint8Array): string {
  return base32(digest.subarray(0, 16));
}

/**
 * Returns the letters that identify the client's key in the id of a pooled execution. Returns null if the start had no
 * key.
 */
export function keyOf(execution: string): string | null {
  return (
    /^exe_(?:k|d(?=.{36}_))([0-9A-HJKMNP-TV-Z]{26})(?:[0-9A-HJKMNP-TV-Z]{10})?_p\d{1,4}$/.exec(execution)?.[1] ?? null
  );
}

/** Returns the value of one letter of an id's digest: five bits. */
export function base32Value(text: string, at: number): number {
  return ALPHABET.indexOf(text.charAt(at));
}

export function base32Digit(value: number): string {
  return ALPHABET.charAt(value);
}

/**
 * Returns when an execution's id was made, in epoch ms. Returns null for an id that a digest or a client determined.
 */
export function timeOf(execution: string): number | null {
  const [, deduped, plain] = TIMED.exec(execution) ?? [];
  const time = deduped ?? plain;
  return time === undefined ? null : Array.from(time).reduce((sum, letter) => sum * 32 + ALPHABET.indexOf(letter), 0);
}

/** Returns the execution and the run in a dead letter's id. Returns null if the text is no dead letter's id. */
export function parseDeadLetterId(id: string): DeadLetterName | null {
  const [, execution, run] = /^dl_(.+)\.(\d+\.\d+)$/.exec(id) ?? [];
  return execution === undefined || run === undefined ? null : { execution: `exe_${execution}`, run };
}

/** Parses the id of a queue item in the monitor's view, `<execution>.<run>`. */
export function parseQueueItemId(id: string): { readonly execution: string; readonly run: string } | null {
  const [, execution, run] = /^(exe_.+)\.(\d+\.\d+)$/.exec(id) ?? [];
  return execution === undefined || run === undefined ? null : { execution, run };
}

export const executionIdText = idText(/^exe_[A-Za-z0-9_-]{1,96}$/, "an execution", "exe_01KABCDEFGHJKMNPQRSTVWXYZ0");
/**
 * An execution id that a client chooses. It has no second underscore, so a client cannot choose a pool cell with it.
 */
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
/** A delivery's id: `trd_` and its number at its trigger. */
export const deliveryIdText = idText(/^trd_\d{1,15}$/, "a delivery", "trd_17");
/** A run's id: the `seq` of the input that created it, and its number among the runs that this input created. */
export const runIdText = z.string().regex(/^\d{1,9}\.\d{1,9}$/, { message: "must be a run's id such as 3.0" });

/**
 * Prefixes of event ids that only the engine may use. If a client used such an id, the engine's later event with that
 * id would be ignored as a repeat.
 */
const OWN_IDS = /^(?:child\/|task\/|docusign\/|report\/|enrolment\/|recurring\/|trigger\/|run:)/;

export function isOwnId(id: string): boolean {
  return OWN_IDS.test(id);
}

export const ownIdMessage =
  "must not begin with child/, task/, docusign/, report/, enrolment/, recurring/, trigger/ or run:, which are reserved for the engine";

/** The id of an event, as its sender may choose it. */
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
