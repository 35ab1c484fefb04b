// One-by-one storing: stores the drafts of a turn one at a time, so that only a draft that cannot be stored fails. The
// platform writes all drafts to disk together, because nothing is awaited in between. Each draft has its own savepoint.
// A larger savepoint would exceed fifteen pages, and SQLite would write its rollback journal to a file.
import { UNWRITABLE_TRIES_MAX } from "#schema/limits/executions.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { QuarantineEntry } from "#schema/engine/quarantine.ts";
import type { Draft } from "../drafts.ts";

/** The store refused a draft. No part of the draft is stored. */
export class UnstoredDraft extends Error {}

export type StoredDrafts = { readonly stored: readonly Draft[]; readonly failed: ReadonlyMap<string, UnstoredDraft> };

export function storeOneByOne(drafts: readonly Draft[], commit: (draft: Draft) => void): StoredDrafts {
  // Each failed draft is tried a second time, because a failure may be transient.
  const tried = drafts.map((draft) => ({ draft, fault: attempt(draft, commit) && attempt(draft, commit) }));
  const stored = tried.flatMap(({ draft, fault }) => (fault === null ? [draft] : []));
  // If every draft failed, the store is at fault and not the drafts. All get the first fault, so that it is logged
  // once.
  const sharedFault = stored.length > 0 ? null : (tried[0]?.fault ?? null);
  const failed = new Map<string, UnstoredDraft>();
  for (const { draft, fault } of tried) if (fault !== null) failed.set(draft.state.id, sharedFault ?? fault);
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
 * Returns the error with which the execution of a refused draft ends; null if the draft is tried again. The execution
 * ends after several refusals, or after one refusal because of its size.
 */
export function errorOf({ looks, since }: QuarantineEntry, { message }: UnstoredDraft): ActionError | null {
  if (looks < UNWRITABLE_TRIES_MAX && !/too big|toobig|too large/i.test(message)) return null;
  const reason = `since ${new Date(since).toISOString()} the engine could not store the result of the execution's next step (${message})`;
  return { type: "not_storable", message: `${reason}; it keeps the state that was stored last`, retryable: false };
}
