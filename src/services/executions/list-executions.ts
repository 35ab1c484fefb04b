// Execution lists: reads the filters of a query, and lists and counts the executions that match.
import { listUpcoming } from "#catalog/executions.ts";
import type { ExecutionFilters } from "#catalog/executions/execution-filters.ts";
import { countExecutions, listExecutions as list, type MatchCount } from "#catalog/executions/list-executions.ts";
import type { SearchPage } from "#catalog/page.ts";
import { readSearchVariables } from "#catalog/executions/search-variables.ts";
import { readVariableFilters } from "#policy/search/variable-filters.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import { isIdOf } from "#schema/ids.ts";
import { OVERDUE_MS } from "#schema/limits/upkeep/sweeps.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { VariableFilter, WrittenFilter } from "#schema/search/written-filter.ts";
import type { Deps, TenantCaller } from "../deps.ts";

export type ListExecutions = {
  readonly filters: Omit<ExecutionFilters, "variables" | "overdueSince"> & { readonly isOverdue?: boolean };
  readonly variables: readonly WrittenFilter[];
  /** Only executions that wake before this time (epoch ms) are listed, in the order of their wakes. */
  readonly nextBefore?: number | undefined;
  readonly isCounted: boolean;
  readonly cursor: string | null;
  readonly limit: number;
};
export type FoundExecutions = SearchPage<ExecutionRow> & { readonly count: MatchCount | null };

export async function listExecutions(
  deps: Deps,
  caller: TenantCaller,
  input: ListExecutions,
): Promise<Result<FoundExecutions>> {
  const { cursor, limit, nextBefore, isCounted } = input;
  const variables = await variableFilters(deps, caller, input);
  if (!variables.ok) return variables;
  const filters = filtersOf(deps, input, variables.value);
  if (nextBefore !== undefined) return listNext(deps, caller, input, nextBefore, filters);
  const page = await list(deps.db, caller.tenant, filters, cursor, limit);
  if (!page.ok) return page;
  return accept({ ...page.value, count: isCounted ? await countExecutions(deps.db, caller.tenant, filters) : null });
}

function filtersOf(
  { now }: Deps,
  { filters: { isOverdue = false, ...filters } }: ListExecutions,
  variables: readonly VariableFilter[],
): ExecutionFilters {
  return { ...filters, variables, ...(isOverdue ? { overdueSince: now() - OVERDUE_MS } : {}) };
}

/** The declarations of all definitions apply, unless the query names one. An id of a version names none. */
async function variableFilters(
  { db }: Deps,
  { tenant, scopes }: TenantCaller,
  { filters, variables }: ListExecutions,
): Promise<Result<readonly VariableFilter[]>> {
  if (variables.length === 0) return accept([]);
  if (!scopes.includes("payloads")) return refuse(payloadsNeeded);
  const name = filters.definition?.split("@")[0] ?? null;
  const declared = await readSearchVariables(db, tenant, name === null || isIdOf("def", name) ? null : name);
  return readVariableFilters(variables, declared);
}

async function listNext(
  deps: Deps,
  caller: TenantCaller,
  { cursor, limit, isCounted }: ListExecutions,
  nextBefore: number,
  filters: ExecutionFilters,
): Promise<Result<FoundExecutions>> {
  const { definition } = filters;
  if (isCounted) return refuse(notCounted);
  if (definition === undefined || isIdOf("def", definition)) return refuse(definitionNameNeeded);
  const page = await listUpcoming(deps.db, caller.tenant, { ...filters, definition, nextBefore }, cursor, limit);
  return page.ok ? accept({ ...page.value, stoppedEarly: false, count: null }) : page;
}

/** Without this check, a key could find hidden values by trying ranges. */
const payloadsNeeded = {
  code: "scope_missing",
  message: "A search by variables needs the scope payloads, because it reveals their values.",
  hint: "Use a key with the scope payloads, or filter by other fields.",
} as const;

const notCounted = {
  code: "invalid_input",
  message: "A list with nextBefore has no count.",
  hint: "Remove count, or use dueBefore instead of nextBefore.",
  errors: [{ pointer: "?count", code: "invalid", message: "cannot be combined with nextBefore" }],
} as const;

const definitionNameNeeded = {
  code: "invalid_input",
  message: "nextBefore needs a definition's name, because upcoming steps are listed per journey.",
  hint: "Add definition=<name>. To narrow the list further, add version.",
  errors: [
    {
      pointer: "/definition",
      code: "required",
      message: "is required with nextBefore, and must be a definition's name",
    },
  ],
} as const;
