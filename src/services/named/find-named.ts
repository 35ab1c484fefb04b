// Named lookup: returns the row that a client names, or the refusal.
import type { NamedRow } from "#catalog/named.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { notFound, type NamedNoun } from "./named-noun.ts";

export async function findNamed<Row extends NamedRow>(
  deps: Deps,
  caller: TenantCaller,
  noun: NamedNoun<Row>,
  ref: string,
): Promise<Result<Row>> {
  const row = await noun.find(deps.db, caller.tenant, ref);
  return row === null ? refuse(notFound(noun, ref)) : accept(row);
}
