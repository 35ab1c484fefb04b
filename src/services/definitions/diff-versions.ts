// Version diffs: the changes between two stored versions of a definition, with the changed texts of message templates.
// The cursor contains both version numbers, so that the next page compares the same versions.
import type { StoredDefinition } from "#catalog/definitions.ts";
import { decodeCursor, pageOf, type Page } from "#catalog/page.ts";
import { listEligibleVersions } from "#catalog/publications/name-resolution.ts";
import { findVersion } from "#catalog/versioned.ts";
import { diffDefinitions, diffPart } from "#policy/versions/diff/diff.ts";
import { messageShape } from "#policy/versions/diff/shapes.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { VersionChange } from "#schema/definition/version-change.ts";
import type { Json } from "#schema/json.ts";
import { TEMPLATES_COMPARED_MAX } from "#schema/limits/definition-sizes.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { z } from "zod";
import { compute } from "../computing/compute.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { templateNoun } from "../templates/templates.ts";
import { getVersion } from "../versioned/get-version.ts";
import { missingVersion } from "../versioned/suggest-names.ts";
import { parseVersionReference } from "../versioned/version-reference.ts";
import { invalidVersion } from "../versioned/versioned-noun.ts";
import { definitionNoun } from "./definition-noun.ts";
import { isBareName, parseReference } from "./find-definition.ts";
import { checkDefinition } from "./validate-definition.ts";
import { withDefaults } from "./with-defaults.ts";

/** A version, named by its number or by its role. `before`: the version that a rollback would restore. */
export type RequestedVersion = number | "published" | "draft" | "before";

export type DiffVersions = {
  readonly reference: string;
  /**
   * The older version. Null: the published version. If `to` is the published version, null means the version published
   * before it.
   */
  readonly from: RequestedVersion | null;
  /**
   * The newer version. Null: the version in `reference`. If `reference` is a name alone: its newest draft, or the
   * published version if there is no draft.
   */
  readonly to: RequestedVersion | null;
  readonly cursor: string | null;
  readonly limit: number;
};
export type DiffedVersions = {
  /** The older version; null if the name has no published version. */
  readonly from: StoredDefinition | null;
  /** The newer version; null if the definition was sent with the request and is not stored. */
  readonly to: StoredDefinition | null;
  readonly changes: readonly VersionChange[];
  readonly page: Page<VersionChange>;
};

/** The position in a diff: the numbers of both versions (0: no version), and the number of changes before it. */
const diffPosition = z.tuple([z.number(), z.number(), z.number()]);

export async function diffVersions(
  deps: Deps,
  caller: TenantCaller,
  { reference, cursor, limit, ...requested }: DiffVersions,
): Promise<Result<DiffedVersions>> {
  const after = decodeCursor(cursor, diffPosition);
  if (!after.ok) return after;
  const [fromVersion, toVersion, offset] = after.value ?? [null, null, 0];
  const versions = await findBothVersions(deps, caller.tenant, reference, {
    from: fromVersion ?? requested.from,
    to: toVersion ?? requested.to,
  });
  if (!versions.ok) return versions;
  const { from, to } = versions.value;
  const computed = await compute(deps, null, diffDefinitions(definitionOf(from), definitionOf(to)));
  if (!computed.ok) return computed;
  const changes = await withTemplateChanges(deps, caller, computed.value);
  return accept({ from, to, changes, page: pageFrom(changes, [from.version, to.version, offset], limit) });
}

export type DiffInline = Pick<DiffVersions, "cursor" | "limit"> & {
  readonly body: Json;
  /** The version to compare with; null: the published version. */
  readonly from: RequestedVersion | null;
};

/**
 * Returns the changes that a definition in the request would make. The definition is checked like a draft, and is not
 * stored.
 */
export async function diffInline(
  deps: Deps,
  caller: TenantCaller,
  { body, from: requested, cursor, limit }: DiffInline,
): Promise<Result<DiffedVersions>> {
  const after = decodeCursor(cursor, diffPosition);
  if (!after.ok) return after;
  const [fromVersion, , offset] = after.value ?? [null, null, 0];
  const reviewed = await checkDefinition(deps, caller.tenant, body, { isDraft: true });
  if (!reviewed.ok) return reviewed;
  const checked = reviewed.value;
  if (!checked.ok) {
    const findings = checked.findings.map((each) => ({ ...each, pointer: `/definition${each.pointer}` }));
    return refuse(invalidVersion("definition", findings));
  }
  const { kind, name } = checked.definition;
  const which = fromVersion ?? requested;
  // The cursor contains 0 if the name had no published version on the first page.
  const from = fromVersion === 0 ? null : await openVersionFinder(deps, caller.tenant, name)(which ?? "published");
  if (from === null && which !== null && which !== 0) return refuse(versionNotFound(name, "from", which));
  const is = withDefaults(deps, checked.definition);
  // If the name has no version yet, every part of the definition counts as added. The diff reads definitions as plain
  // JSON, so this object need not have all fields.
  const was = from === null ? ({ kind, name } as Definition) : definitionOf(from);
  const computed = await compute(deps, null, diffDefinitions(was, is));
  if (!computed.ok) return computed;
  const changes = await withTemplateChanges(deps, caller, computed.value);
  return accept({ from, to: null, changes, page: pageFrom(changes, [from?.version ?? 0, 0, offset], limit) });
}

function definitionOf({ body }: StoredDefinition): Definition {
  return JSON.parse(body) as Definition; // The stored body passed the checks of a definition.
}

/**
 * Returns one page of the changes. The cursor is [from, to, offset] with the numbers of both versions; 0 is the
 * unstored definition.
 */
function pageFrom(
  changes: readonly VersionChange[],
  [from, to, offset]: z.infer<typeof diffPosition>,
  limit: number,
): Page<VersionChange> {
  const numbered = changes.slice(offset, offset + limit + 1).map((change, n) => ({ change, next: offset + n + 1 }));
  const { data, nextCursor } = pageOf(numbered, limit, ({ next }) => [from, to, next]);
  return { data: data.map(({ change }) => change), nextCursor };
}

type VersionPair = { readonly from: StoredDefinition; readonly to: StoredDefinition };

async function findBothVersions(
  deps: Deps,
  tenant: string,
  reference: string,
  requested: Pick<DiffVersions, "from" | "to">,
): Promise<Result<VersionPair>> {
  const key = parseReference(reference);
  const named = key === null ? null : await findVersion(deps.db, definitionNoun.versions, tenant, key);
  if (key === null || named === null) return refuse(await missingVersion(deps, definitionNoun, tenant, reference));
  const { name } = named;
  const find = openVersionFinder(deps, tenant, name);
  const latest = isBareName(key) ? ((await find("draft")) ?? named) : named;
  const to = requested.to === null ? latest : await find(requested.to);
  if (to === null) return refuse(versionNotFound(name, "to", requested.to));
  // Without a predecessor the version is compared with itself, which gives no changes.
  const from =
    requested.from === null
      ? ((await find(to.isNameTarget ? "before" : "published")) ?? to)
      : await find(requested.from);
  return from === null ? refuse(versionNotFound(name, "from", requested.from)) : accept({ from, to });
}

function openVersionFinder({ db }: Deps, tenant: string, name: string) {
  const { versions } = definitionNoun;
  return async (requested: RequestedVersion): Promise<StoredDefinition | null> => {
    if (typeof requested === "number") return findVersion(db, versions, tenant, { name, version: requested });
    if (requested === "draft") return findVersion(db, versions, tenant, { name, draft: true });
    const stack = await listEligibleVersions(db, tenant, name, 2);
    const publication = stack[requested === "before" ? 1 : 0];
    return publication === undefined ? null : findVersion(db, versions, tenant, { name, version: publication.version });
  };
}

function versionNotFound(name: string, field: "from" | "to", requested: RequestedVersion | null) {
  const description = typeof requested === "number" ? `version ${requested}` : ROLE_WORDS[requested ?? "published"];
  const message = `There is no ${description} of "${name}".`;
  const hint = `Name a version: ?${field}=2. GET /v1/definitions/${name}/versions lists them.`;
  return { code: "not_found", message, hint, errors: [{ pointer: `?${field}`, code: "not_found", message }] } as const;
}

const ROLE_WORDS = { published: "published version", draft: "draft", before: "version published before" } as const;

/**
 * Inserts, after each changed template version, the changes of the template's texts. At most TEMPLATES_COMPARED_MAX
 * pairs of template versions are compared.
 */
async function withTemplateChanges(
  deps: Deps,
  caller: TenantCaller,
  changes: readonly VersionChange[],
): Promise<readonly VersionChange[]> {
  const diffedPairs = new Set<string>();
  const withTemplates: VersionChange[] = [];
  for (const change of changes) {
    withTemplates.push(change);
    // `was` and `is` are texts if the change is about a template's version.
    const pair = `${String(change.was)} ${String(change.is)}`;
    if (!changesTemplateVersion(change) || diffedPairs.has(pair) || diffedPairs.size >= TEMPLATES_COMPARED_MAX)
      continue;
    diffedPairs.add(pair);
    withTemplates.push(...(await templateChanges(deps, caller, String(change.was), String(change.is))));
  }
  return withTemplates;
}

function changesTemplateVersion({ kind, path, was, is }: VersionChange): boolean {
  if (kind !== "changed" || path.at(-1) !== "template" || typeof was !== "string" || typeof is !== "string")
    return false;
  const [before, after] = [parseVersionReference(was), parseVersionReference(is)];
  return before.name === after.name && before.version !== null && after.version !== null;
}

async function templateChanges(
  deps: Deps,
  caller: TenantCaller,
  was: string,
  is: string,
): Promise<readonly VersionChange[]> {
  const [before, after] = await Promise.all([was, is].map((each) => getVersion(deps, caller, templateNoun, each)));
  if (!before?.ok || !after?.ok) return [];
  const [old, now] = [before.value, after.value];
  return diffPart(
    messageShape,
    { kind: "template", name: now.name },
    JSON.parse(old.body) as Json,
    JSON.parse(now.body) as Json,
  );
}
