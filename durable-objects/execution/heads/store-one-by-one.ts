// One-by-one storing: stores the drafts of a turn one at a time, so that only those that cannot be stored are refused.
// Nothing is awaited meanwhile: the platform writes everything stored within a turn to disk together. Separate
// savepoints also keep SQLite's rollback journal small: beyond fifteen pages it becomes a file as large as all that is
// written.
import { UNWRITABLE_TRIES_MAX } from "#schema/limits/quarantined-executions.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Quarantined } from "#schema/engine/quarantine.ts";
import type { Draft } from "../drafts.ts";

/** The store's refusal of a draft. Nothing of the draft was stored. */
export class UnstoredDraft extends Error {}

export type StoredDrafts = { readonly stored: readonly Draft[]; readonly failed: ReadonlyMap<string, UnstoredDraft> };

export function storeOneByOne(drafts: readonly Draft[], commit: (draft: Draft) => void): StoredDrafts {
  // Each failed draft is tried again, because one failure may be transient.
  const tried = drafts.map((draft) => ({ draft, fault: attempt(draft, commit) && attempt(draft, commit) }));
  const stored = tried.flatMap(({ draft, fault }) => (fault === null ? [draft] : []));
  // If no draft was stored, it is one fault, and one line in the log.
  const only = stored.length > 0 ? null : (tried[0]?.fault ?? null);
  const failed = new Map<string, UnstoredDraft>();
  for (const { draft, fault } of tried) if (fault !== null) failed.set(draft.state.id, only ?? fault);
  return { stored, failed };
}

function attempt(draft: Draft, commit: (draft: Draft) => void): UnstoredDraft | null {
  try {
    commit(draft);
    return null;
  } catch (fault) {
    return new UnstoredDraft(fault instanceof Error ? fault.message : String(fault), { cause: fault });
  }
}

/**
 * Why an execution has to end: its changes were refused repeatedly, or for their size, while the store accepted others.
 */
export function errorOf({ looks, since }: Quarantined, { message }: UnstoredDraft): ActionError | null {
  if (looks < UNWRITABLE_TRIES_MAX && !/too big|toobig|too large/i.test(message)) return null;
  const why = `the result of its next step could not be stored (${message}), since ${new Date(since).toISOString()}`;
  return { type: "not_storable", message: `${why}; the last stored state is kept`, retryable: false };
}
