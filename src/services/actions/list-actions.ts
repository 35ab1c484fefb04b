// Finds actions in the catalog, those on their own or all. Lists may be a moment late; the action itself is the truth.
import { listActions as list, type ActionFilters, type ListedRun, type Whose } from "#catalog/actions.ts";
import type { Page } from "#catalog/page.ts";
import type { Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";

export type ListActions = {
  readonly filters: ActionFilters;
  readonly whose?: Whose;
  readonly cursor: string | null;
  readonly limit: number;
};

export async function listActions(
  deps: Deps,
  caller: TenantCaller,
  input: ListActions,
): Promise<Result<Page<ListedRun>>> {
  const { filters, whose = "alone", cursor, limit } = input;
  return list(deps.db, caller.tenant, { ...filters, whose }, cursor, limit);
}
