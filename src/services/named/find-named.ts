// Named lookup: returns the row that a client names, or the refusal.
import { listNamed, type NamedRow } from "#catalog/named.ts";
import { NAMES_COMPARED_MAX } from "#schema/limits/api-requests.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { notFound, type NamedNoun } from "./named-noun.ts";

export async function findNamed<Row extends NamedRow>(
  deps: Deps,
  caller: TenantCaller,
  noun: NamedNoun<Row>,
  ref: string,
): Promise<Result<Row>> {
  const row = await noun.find(deps.db, caller.tenant, ref);
  return row === null ? refuse(await missingNamed(deps, caller, noun, ref)) : accept(row);
}

/** Returns the tenant's names, of which one may be similar to a name that does not exist. */
export async function namesOf<Row extends NamedRow>(
  { db }: Pick<Deps, "db">,
  tenant: string,
  noun: NamedNoun<Row>,
): Promise<readonly string[]> {
  const page = await listNamed(db, noun.rows, tenant, null, NAMES_COMPARED_MAX);
  return page.ok ? page.value.data.map(({ name }) => name) : [];
}

/** Builds the refusal of an unknown name, with the similar name that the client probably meant. */
async function missingNamed<Row extends NamedRow>(
  deps: Deps,
  { tenant }: TenantCaller,
  noun: NamedNoun<Row>,
  ref: string,
): Promise<Refusal> {
  const similar = didYouMean(ref, await namesOf(deps, tenant, noun));
  return similar === null ? notFound(noun, ref) : { ...notFound(noun, ref), hint: `Did you mean "${similar}"?` };
}
