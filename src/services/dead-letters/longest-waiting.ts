// The dead letters that a filter means, by their ids, the longest waiting first.
import { listDeadLetters } from "#catalog/dead-letters.ts";
import type { Page } from "#catalog/page.ts";
import type { DeadLetterFilters } from "#schema/dead-letter.ts";
import { deadLetterId } from "#schema/ids.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";

export async function longestWaiting(
  deps: Pick<Deps, "db">,
  tenant: string,
  filters: DeadLetterFilters,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<string>>> {
  const page = await listDeadLetters(deps.db, tenant, filters, cursor, limit, "oldest");
  if (!page.ok) return page;
  const { data, nextCursor } = page.value;
  return accept({ data: data.map(({ execution, id }) => deadLetterId(execution, id)), nextCursor });
}
