// Head texts: parses a head row, or reads its identity if this code cannot parse it.
import { nextWake } from "#kernel/waiting/next-instants.ts";
import { identity, type Identity } from "#schema/engine/quarantine.ts";
import { upcast } from "../migrations.ts";
import type { Head } from "../storage.ts";
import { unpackBody, type PackedBody } from "../stored/packing.ts";

type Written = { readonly state?: { readonly v?: unknown } | null } | null;

/** Throws with the reason if this code cannot continue from what is stored. */
export function headOf(body: PackedBody): Head {
  const written = parsed(unpackBody(body)) as Head & Written;
  if (typeof written?.state?.v !== "number") throw new Error("the row holds no state");
  const head: Head = { ...written, state: upcast(written.state) };
  // Computing the next wake reads most of the state, so a row that cannot be stepped fails here, not in its cell.
  nextWake(head.state, 0);
  return head;
}

/** The parser's own message would quote the stored text, which lists and logs must not show. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`the row's ${text.length} characters are not valid JSON: they were truncated or overwritten`);
  }
}

/** null if the row holds no identity. */
export function identityIn(body: PackedBody): Identity | null {
  try {
    const read = identity.safeParse((JSON.parse(unpackBody(body)) as Written)?.state);
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
