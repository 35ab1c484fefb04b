// What the catalog knows of the executions about one subject: what comes next, and that it is to forget whom they are about.
import { forgetSubject, nextOfSubject } from "#catalog/executions.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import { SUBJECT_ROWS_FORGOTTEN } from "#schema/limits/subjects.ts";
import type { Deps } from "../deps.ts";

export function findNext({ db }: Pick<Deps, "db">, tenant: string, subject: string): Promise<ExecutionRow | null> {
  return nextOfSubject(db, tenant, subject);
}

/** All of them, in chunks. */
export async function forgetInLists({ db }: Pick<Deps, "db">, tenant: string, subject: string): Promise<void> {
  while ((await forgetSubject(db, tenant, subject, SUBJECT_ROWS_FORGOTTEN)) === SUBJECT_ROWS_FORGOTTEN);
}
