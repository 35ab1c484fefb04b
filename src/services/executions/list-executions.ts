// Finds executions in the catalog. Lists may be a moment late; the execution itself is the truth.
import { listExecutions as list, listUpcoming, type ExecutionFilters } from "#catalog/executions.ts";
import type { Page } from "#catalog/page.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import { isIdOf } from "#schema/ids.ts";
import { refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";

export type ListExecutions = {
  readonly filters: ExecutionFilters;
  /** Those alone that do something before it, by when they do. */
  readonly nextBefore?: number | undefined;
  readonly cursor: string | null;
  readonly limit: number;
};

export async function listExecutions(
  deps: Deps,
  caller: TenantCaller,
  input: ListExecutions,
): Promise<Result<Page<ExecutionRow>>> {
  const { filters, nextBefore, cursor, limit } = input;
  if (nextBefore === undefined) return list(deps.db, caller.tenant, filters, cursor, limit);
  const { definition } = filters;
  if (definition === undefined || isIdOf("def", definition)) return refuse(whose);
  return listUpcoming(deps.db, caller.tenant, { ...filters, definition, nextBefore }, cursor, limit);
}

const whose = {
  code: "invalid_input",
  message: "What comes next is listed by journey: nextBefore needs a definition's name.",
  hint: "Add definition=<name>; version narrows it further.",
  errors: [{ pointer: "/definition", code: "required", message: "is needed beside nextBefore, as a name" }],
} as const;
