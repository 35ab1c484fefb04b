// Search declarations: records which search variables a definition declares, so that lists can check their filters.
import { declareSearchVariables } from "#catalog/executions/search-variables.ts";
import type { SearchVariables } from "#schema/search/search-variables.ts";
import type { Deps } from "../deps.ts";

export type SearchDeclaration = { readonly name: string; readonly searchVariables?: SearchVariables | undefined };

/** Recording a declaration again changes nothing. A definition without search variables costs no statement. */
export async function recordSearchVariables(
  { db }: Pick<Deps, "db">,
  tenant: string,
  { name, searchVariables = {} }: SearchDeclaration,
): Promise<void> {
  await declareSearchVariables(db, tenant, name, searchVariables);
}
