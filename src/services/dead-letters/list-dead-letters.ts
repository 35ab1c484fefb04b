// Finds the runs that failed for good and wait for a person. Lists may be a moment late.
import { listDeadLetters as list } from "#catalog/dead-letters.ts";
import type { DeadLetterFilters } from "#schema/dead-letter.ts";
import type { Page } from "#catalog/page.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { summaryOfRow, type DeadLetterSummary } from "./dead-letter-summary.ts";
import type { TenantCaller, Deps } from "../deps.ts";

export type ListDeadLetters = {
  readonly filters: DeadLetterFilters;
  readonly cursor: string | null;
  readonly limit: number;
};

export async function listDeadLetters(
  deps: Deps,
  caller: TenantCaller,
  { filters, cursor, limit }: ListDeadLetters,
): Promise<Result<Page<DeadLetterSummary>>> {
  const page = await list(deps.db, caller.tenant, filters, cursor, limit);
  if (!page.ok) return page;
  const { data, nextCursor } = page.value;
  return accept({ data: data.map(summaryOfRow), nextCursor });
}
