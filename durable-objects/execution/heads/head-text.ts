// What a head row says: the whole of it, where this code can read it, or who it belongs to, where it cannot.
import { nextWake } from "#kernel/execution/clock.ts";
import { identity, type Identity } from "#schema/engine/quarantine.ts";
import { upcast } from "../migrations.ts";
import type { Head } from "../storage.ts";
import { unpacked, type Packed } from "../stored/packing.ts";

type Written = { readonly state?: { readonly v?: unknown } | null } | null;

/** Throws, and says why, where this code cannot go on with what is written. */
export function headOf(body: Packed): Head {
  const written = parsed(unpacked(body)) as Head & Written;
  if (typeof written?.state?.v !== "number") throw new Error("the row holds no state");
  const head: Head = { ...written, state: upcast(written.state) };
  // What asks when it must be looked at looks at most of it; a row that cannot say would bring its cell to fall.
  nextWake(head.state, 0);
  return head;
}

/** The parser's own words would quote what stands there, which lists and logs are not to show. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`the row's ${text.length} characters are no JSON: they were cut off, or overwritten`);
  }
}

/** null: nothing can be told from it. */
export function identityIn(body: Packed): Identity | null {
  try {
    const read = identity.safeParse((JSON.parse(unpacked(body)) as Written)?.state);
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
