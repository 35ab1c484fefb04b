// Same definition: finds the stored version with the same content as a new definition. If there is one, no new version
// is made. So a deployment may send all its definitions every time.
import { definitionVersions, type StoredDefinition } from "#catalog/definitions.ts";
import { findNewest, findSameBody, type VersionRow } from "#catalog/versioned.ts";
import type { Deps } from "../deps.ts";

type Content = Pick<VersionRow, "tenant" | "name" | "hash">;
type FindSame = (current: StoredDefinition | null, content: Content) => Promise<StoredDefinition | null>;

/** For a draft: returns the newest version of the name, whether published or not, if its content is the same. */
export function sameAsNewest({ db }: Pick<Deps, "db">): FindSame {
  return async (_current, content) => {
    const newest = await findNewest(db, definitionVersions, content.tenant, content.name);
    return newest?.hash === content.hash ? newest : null;
  };
}

/**
 * For a definition to publish: returns the current version if its content is the same. Otherwise returns a draft or a
 * rolled-back version with the same content.
 */
export function sameOrWithheld({ db }: Pick<Deps, "db">): FindSame {
  return async (current, content) => {
    if (current !== null && current.isNameTarget && current.hash === content.hash) return current;
    const stored = await findSameBody(db, definitionVersions, content);
    return stored?.withheld === null ? null : stored;
  };
}
