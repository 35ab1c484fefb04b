// Head text: parses a head row, or only its identity if this code cannot parse the state.
import { nextWake } from "#kernel/waiting/next-instants.ts";
import { identity, type Identity } from "#schema/engine/quarantine.ts";
import { upcast } from "../migrations.ts";
import type { Head } from "../storage.ts";
import { unpackBody, type PackedBody } from "../stored/packing.ts";
import { currentEntries } from "../stored/renamed-entries.ts";

type StoredHead = { readonly state?: { readonly v?: unknown } | null } | null;

/** Returns the head in a row. Throws with the reason if this code cannot read the row. */
export function headOf(body: PackedBody): Head {
  const stored = parsedJson(unpackBody(body)) as Head & StoredHead; // `writeHead` wrote this JSON, or it is damaged
  if (typeof stored?.state?.v !== "number") throw new Error("the stored row contains no execution state");
  const head: Head = { ...stored, state: upcast(stored.state), tail: currentEntries(stored.tail) };
  // nextWake reads most of the state, so a damaged state fails here, where it is quarantined.
  nextWake(head.state, 0);
  return head;
}

/** Parses JSON. A message of the parser would quote stored text in lists and logs, so another message replaces it. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`the stored row (${text.length} characters) is not valid JSON: it was truncated or overwritten`);
  }
}

/** Returns the identity in a head row; null if the row has no readable identity. */
export function identityIn(body: PackedBody): Identity | null {
  try {
    const parsed = identity.safeParse((JSON.parse(unpackBody(body)) as StoredHead)?.state);
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
