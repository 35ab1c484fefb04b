// Journal entries as API objects: instants as text, credentials redacted.
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { Json } from "#schema/json.ts";
import type { ApiEntry } from "./shape.ts";
import { hidePayloads } from "../hidden-payloads.ts";
import { redact } from "../redact.ts";
import { redactOutcome } from "../short-lived.ts";
import { toInstant } from "#schema/values.ts";

/**
 * The fields of a journal entry that contain an epoch time. Fields with these names inside a client's own data stay
 * unchanged.
 */
const INSTANTS = new Set(["at", "dueAt", "from", "to", "startedAt", "endedAt", "until", "nextAt"]);
const NESTED = new Set(["moves", "outcome"]);

export function presentEntry(entry: JournalEntry): ApiEntry {
  const { seq, n, at, kind } = entry;
  const fields = Object.entries(entry).map(([name, value]) => [name, presentField(name, value)]);
  return { ...Object.fromEntries(fields), seq, n, at: toInstant(at), kind };
}

export function presentEntryWithoutPayloads(entry: JournalEntry): Json {
  return hidePayloads(presentEntry(entry) as Json); // journal entries contain only JSON
}

function presentField(name: string, value: unknown): unknown {
  if (INSTANTS.has(name) && typeof value === "number") return toInstant(value);
  if (name === "config" && isObject(value)) return redact(value);
  if (!NESTED.has(name)) return value;
  if (name === "outcome" && isObject(value)) return presentFields(redactOutcome(value));
  if (Array.isArray(value)) return value.map((item: unknown) => (isObject(item) ? presentFields(item) : item));
  return isObject(value) ? presentFields(value) : value;
}

function presentFields(value: { readonly [key: string]: Json }): unknown {
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, presentField(name, inner)]));
}

/** Returns true for a JSON object. Any other type cannot occur, because journal entries contain only JSON. */
function isObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
