// Name suggestions: if a definition or template does not exist, finds the name or version that the client probably
// meant.
import { listLatest, type Versioned, type VersionRow } from "#catalog/versioned.ts";
import type { Refusal } from "#schema/refusal.ts";
import { openGuesses } from "#schema/suggest.ts";
import { NAMES_COMPARED_MAX } from "#schema/limits/api-requests.ts";
import type { Deps } from "../deps.ts";
import { parseVersionReference } from "./version-reference.ts";
import { noVersion, type Word } from "./versioned-noun.ts";

/**
 * A similar name. `newest` is set only if the name is correct and only the version does not exist: it is the newest
 * version.
 */
type SimilarName = { readonly name: string; readonly newest: number | null };
/**
 * Finds a similar name. Returns null if there is none, or if the request already named too many unknown names. The
 * refusal then contains no suggestion.
 */
export type FindSimilarName = (reference: string) => Promise<SimilarName | null>;

/**
 * Opens the search for one request. The tenant's names are listed at most once, when the first unknown name is looked
 * up.
 */
export function openNameSuggestions<Row extends VersionRow, Key>(
  { db }: Pick<Deps, "db">,
  versions: Versioned<Row, Key>,
  tenant: string,
): FindSimilarName {
  const list = async () => {
    const page = await listLatest(db, versions, tenant, null, NAMES_COMPARED_MAX);
    const newest = new Map((page.ok ? page.value.data : []).map(({ name, version }) => [name, version]));
    return { newest, guess: openGuesses([...newest.keys()]) };
  };
  let listed: ReturnType<typeof list> | null = null;
  return async (reference) => {
    listed ??= list();
    const { newest, guess } = await listed;
    const { name } = parseVersionReference(reference);
    const version = newest.get(name);
    if (version !== undefined) return { name, newest: version };
    const similar = guess(name);
    return similar === null ? null : { name: similar, newest: null };
  };
}

export async function missingVersion<Row extends VersionRow, Key>(
  deps: Pick<Deps, "db">,
  { word, versions }: { readonly word: Word; readonly versions: Versioned<Row, Key> },
  tenant: string,
  reference: string,
  findNear: FindSimilarName = openNameSuggestions(deps, versions, tenant),
): Promise<Refusal> {
  const similar = await findNear(reference);
  const hint =
    similar === null
      ? `GET /v1/${word}s lists the existing names.`
      : similar.newest === null
        ? `Did you mean "${similar.name}"?`
        : `"${similar.name}" has other versions, such as ${similar.newest}.`;
  return { ...noVersion(word, reference), hint };
}
