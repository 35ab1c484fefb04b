// Lists a tenant's recurring actions, newest first.
import { listRecurring as list, type RecurringFilters } from "#catalog/recurring.ts";
import type { Page } from "#catalog/page.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { listed, type ListedRecurring } from "./recurring-view.ts";

export type ListRecurring = {
  readonly filters: RecurringFilters;
  readonly cursor: string | null;
  readonly limit: number;
  readonly language: string;
};

export async function listRecurring(
  deps: Deps,
  caller: TenantCaller,
  { filters, cursor, limit, language }: ListRecurring,
): Promise<Result<Page<ListedRecurring>>> {
  const page = await list(deps.db, caller.tenant, filters, cursor, limit);
  if (!page.ok) return page;
  const now = deps.now();
  return accept({ ...page.value, data: page.value.data.map((row) => listed(row, now, language)) });
}
