// The next dead letters that an operation is about, the longest waiting first.
import { listDeadLetters } from "#catalog/dead-letters.ts";
import { deadLetterId } from "#schema/ids.ts";
import type { OperationPage, OperationTerms } from "#schema/operation.ts";
import { OPERATION_PAGE_ROWS } from "#schema/limits/upkeep.ts";
import type { Deps } from "../deps.ts";
import { meantBy } from "./operation-view.ts";

export async function listForOperation(
  deps: Pick<Deps, "db">,
  terms: OperationTerms,
  cursor: string | null,
): Promise<OperationPage> {
  const page = await listDeadLetters(deps.db, terms.tenant, meantBy(terms), cursor, OPERATION_PAGE_ROWS, "oldest");
  if (!page.ok) throw new Error(page.refusal.message); // the cursor is one that this very list gave out
  const ids = page.value.data.map(({ execution, id }) => deadLetterId(execution, id));
  return { ids, cursor: page.value.nextCursor };
}
