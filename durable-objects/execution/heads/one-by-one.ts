// Storing what a turn has drafted, one by one, so that only those that cannot be stored are without an answer. Nothing is
// awaited meanwhile: the platform takes what is stored within a turn to the disk together, or none of it. One by one also because
// of what SQLite keeps in case something is taken back: beyond fifteen pages it is a file, as large as all that is written.
import { UNWRITABLE_LOOKS_MAX } from "#schema/limits/objects.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Quarantined } from "#schema/engine/quarantine.ts";
import type { Draft } from "../drafts.ts";

/** What the store said of a draft. Nothing of it has been kept. */
export class Unstored extends Error {}

export type Stored = { readonly stored: readonly Draft[]; readonly failed: ReadonlyMap<string, Unstored> };

export function storeOneByOne(drafts: readonly Draft[], commit: (draft: Draft) => void): Stored {
  // One is tried again: once may have been chance.
  const tried = drafts.map((draft) => ({ draft, fault: attempt(draft, commit) && attempt(draft, commit) }));
  const stored = tried.flatMap(({ draft, fault }) => (fault === null ? [draft] : []));
  // Where nothing at all was taken it is one fault, and one line in the log.
  const only = stored.length > 0 ? null : (tried[0]?.fault ?? null);
  const failed = new Map<string, Unstored>();
  for (const { draft, fault } of tried) if (fault !== null) failed.set(draft.state.id, only ?? fault);
  return { stored, failed };
}

function attempt(draft: Draft, commit: (draft: Draft) => void): Unstored | null {
  try {
    commit(draft);
    return null;
  } catch (fault) {
    return new Unstored(fault instanceof Error ? fault.message : String(fault), { cause: fault });
  }
}

/** Why an execution has to end: its changes were refused again and again, or for their size, while the store took others. */
export function errorOf({ looks, since }: Quarantined, { message }: Unstored): ActionError | null {
  if (looks < UNWRITABLE_LOOKS_MAX && !/too big|toobig|too large/i.test(message)) return null;
  const why = `what it did next could not be stored (${message}), since ${new Date(since).toISOString()}`;
  return { type: "not_storable", message: `${why}; it stands as it was stored last`, retryable: false };
}
