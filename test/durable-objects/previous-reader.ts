// How the previous release reads a head, word for word, but for its version's steps, of which there were none: what that
// code makes of rows that today's has written. It knows of nothing but text.
import { nextWake } from "#kernel/execution/clock.ts";
import { identity, type Identity } from "#schema/engine/quarantine.ts";
import type { ExecutionState } from "#schema/engine/state.ts";

type Head = { readonly state: ExecutionState };
type Written = { readonly state?: { readonly v?: unknown } | null } | null;

/** Throws, and says why, where that code cannot go on with what is written. */
export function headAsBefore(text: string): Head {
  const written = parsed(text) as Head & Written;
  if (typeof written?.state?.v !== "number") throw new Error("the row holds no state");
  nextWake(written.state, 0);
  return written;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`the row's ${text.length} characters are no JSON: they were cut off, or overwritten`);
  }
}

/** null: nothing can be told from it. */
export function identityAsBefore(text: string): Identity | null {
  try {
    const read = identity.safeParse((JSON.parse(text) as Written)?.state);
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
