// What was probably meant by the name of a definition or template that is not there: another name, or another version.
import { listLatest, type Versioned, type VersionRow } from "#catalog/versioned.ts";
import type { Refusal } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import { NAMES_COMPARED_MAX } from "#schema/limits/upkeep.ts";
import type { Deps } from "../deps.ts";
import { parseVersionReference } from "./version-reference.ts";
import { noVersion, type Word } from "./versioned-noun.ts";

type Near = { readonly name: string; readonly newest: number | null };

/** `newest`: set where it is the same name, and only the version is not there. null: nothing there is like it. */
export async function nearName<Row extends VersionRow, Key>(
  { db }: Pick<Deps, "db">,
  versions: Versioned<Row, Key>,
  tenant: string,
  reference: string,
): Promise<Near | null> {
  const page = await listLatest(db, versions, tenant, null, NAMES_COMPARED_MAX);
  const rows = page.ok ? page.value.data : [];
  const { name } = parseVersionReference(reference);
  const same = rows.find((row) => row.name === name);
  if (same) return { name, newest: same.version };
  const names = rows.map((row) => row.name);
  const near = didYouMean(name, names);
  return near === null ? null : { name: near, newest: null };
}

export async function missing<Row extends VersionRow, Key>(
  deps: Pick<Deps, "db">,
  { word, versions }: { readonly word: Word; readonly versions: Versioned<Row, Key> },
  tenant: string,
  reference: string,
): Promise<Refusal> {
  const near = await nearName(deps, versions, tenant, reference);
  const hint =
    near === null
      ? `GET /v1/${word}s lists what there is.`
      : near.newest === null
        ? `Did you mean "${near.name}"?`
        : `"${near.name}" has other versions, such as ${near.newest}.`;
  return { ...noVersion(word, reference), hint };
}
