// Lists the next dead letters of an operation, the longest waiting first. The operation's object calls it.
import type { OperationPage, OperationTerms } from "#schema/operation.ts";
import { OPERATION_PAGE_ROWS } from "#schema/limits/upkeep/bulk-operations.ts";
import type { Deps } from "../deps.ts";
import { longestWaiting } from "../dead-letters/dead-letter-summary.ts";
import { deadLettersOf } from "./operations.ts";

export async function listOperationDeadLetters(
  deps: Pick<Deps, "db">,
  operation: OperationTerms,
  cursor: string | null,
): Promise<OperationPage> {
  const page = await longestWaiting(deps, operation.tenant, deadLettersOf(operation), cursor, OPERATION_PAGE_ROWS);
  // longestWaiting refuses only a wrong cursor, and this list issued the cursor.
  if (!page.ok) throw new Error(page.refusal.message);
  return { ids: page.value.data, cursor: page.value.nextCursor };
}
