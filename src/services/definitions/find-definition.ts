// Definition lookup for starts, which every start needs: parses the reference, finds the version, and decides whether
// it may start executions. The isolate caches definitions and refreshes them at intervals, because a name may get a new
// version and a version may be archived. While D1 does not answer, the cached definitions are used.
import { z } from "zod";
import { definitionVersions, type DefinitionKey, type StoredDefinition } from "#catalog/definitions.ts";
import { findVersion } from "#catalog/versioned.ts";
import type { SubjectRule } from "#kernel/execution/subject/subject.ts";
import { defaults } from "#schema/defaults.ts";
import type { DefinitionRef } from "#schema/definition/definition.ts";
import { placement, type Placement } from "#schema/definition/head.ts";
import { isIdOf } from "#schema/ids.ts";
import { jsonObject, rule } from "#schema/json.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { reentry } from "#schema/subject/enrolment.ts";
import type { Deps } from "../deps.ts";
import { dropCached, putCached, openIsolateCache, readCached } from "../isolate-cache.ts";
import { oncePerKey } from "../once-per-key.ts";
import { missingVersion, openNameSuggestions, type FindSimilarName } from "../versioned/suggest-names.ts";
import { versionKey } from "../versioned/version-reference.ts";

export type FoundDefinition = {
  readonly ref: DefinitionRef;
  /** The stored body without its tests. The cell parses it only if the cell has not stored this version yet. */
  readonly body: string;
  readonly placements: Placements;
  /** The rule that returns the subject of a new execution; null if the definition declares no subject. */
  readonly subject: SubjectRule | null;
  readonly archived: boolean;
  /**
   * True if the reference is a name alone and none of the name's versions is published: all are drafts or rolled back.
   */
  readonly unpublished: boolean;
};

const noun = { word: "definition", versions: definitionVersions } as const;

const latest = definitionCache(isolateCaches.latestDefinitions);
const pinned = definitionCache(isolateCaches.pinnedDefinitions);

type FindDeps = Pick<Deps, "db" | "now" | "log">;
export type FindDefinition = (reference: string) => Promise<Result<FoundDefinition>>;

export function findDefinition(deps: FindDeps, tenant: string, reference: string): Promise<Result<FoundDefinition>> {
  return openDefinitions(deps, tenant)(reference);
}

/** Opens the lookup for one request. Each reference is looked up once, even if many items of the request name it. */
export function openDefinitions(deps: FindDeps, tenant: string): FindDefinition {
  const findNear = openNameSuggestions(deps, definitionVersions, tenant);
  return oncePerKey((reference) => lookUpDefinition(deps, tenant, reference, findNear));
}

async function lookUpDefinition(
  deps: FindDeps,
  tenant: string,
  reference: string,
  findNear: FindSimilarName,
): Promise<Result<FoundDefinition>> {
  const key = parseReference(reference);
  if (key === null) return refuse(await missingVersion(deps, noun, tenant, reference, findNear));
  // A name alone or `name@draft` may resolve to another version later, so it is refreshed more often. A reference with
  // a version number always finds the same version.
  const cache = isBareName(key) || "draft" in key ? latest : pinned;
  const read = async () => toFound(await findVersion(deps.db, definitionVersions, tenant, key), isBareName(key));
  try {
    const found = await readCached(cache, cacheKey(tenant, reference), deps.now, read);
    return found === null ? refuse(await missingVersion(deps, noun, tenant, reference, findNear)) : accept(found);
  } catch (cause) {
    deps.log({
      level: "error",
      message: "the catalog does not answer, so definitions cannot be looked up",
      error: String(cause),
    });
    return refuse(unavailable);
  }
}

/** Caches a version that this isolate has just stored or published. */
export function cacheDefinition(row: StoredDefinition, at: number): void {
  const draft = cacheKey(row.tenant, `${row.name}@draft`);
  dropCached(latest, (_found, key) => key === draft);
  if (row.isNameTarget) putCached(latest, cacheKey(row.tenant, row.name), toFound(row, true), at);
}

/** Evicts a name's versions from this isolate's cache after they were archived. */
export function evictDefinition(tenant: string, name: string): void {
  const isOfName = (found: FoundDefinition | null, key: string): boolean =>
    found?.ref.name === name && key.startsWith(`${tenant}\n`);
  dropCached(latest, isOfName);
  dropCached(pinned, isOfName);
}

const unavailable = {
  code: "unavailable",
  message: "The catalog does not answer, so definitions cannot be looked up.",
  hint: "Send the same request again with the same Idempotency-Key.",
} as const;

function definitionCache({ sizeMax, freshMs, staleMs }: { sizeMax: number; freshMs: number; staleMs: number }) {
  return openIsolateCache<FoundDefinition | null>({
    sizeMax,
    freshMs: (found) => (found === null ? 0 : freshMs),
    staleMs: (found) => (found === null ? 0 : staleMs),
  });
}

function cacheKey(tenant: string, reference: string): string {
  return `${tenant}\n${reference}`;
}

function toFound(row: StoredDefinition | null, byName: boolean): FoundDefinition | null {
  if (row === null) return null;
  const { id, name, version, body } = row;
  const parsed = JSON.parse(body);
  // Executions do not need a definition's tests, so the cached body has none.
  const { tests, ...untested } = parsed;
  return {
    ref: { id, name, version },
    body: tests === undefined ? body : JSON.stringify(untested),
    placements: placementsOf(row),
    subject: subjectRuleOf(parsed),
    archived: row.archivedAt !== null,
    unpublished: byName && row.withheld !== null,
  };
}

/** The parts of a stored body that a start needs. The cell parses the whole body. */
const storedParts = z.object({
  kind: z.string(),
  placement: placement.optional(),
  subject: rule.optional(),
  reentry: reentry.optional(),
  variables: jsonObject.optional(),
});

function subjectRuleOf(body: unknown): SubjectRule | null {
  const { kind, subject, reentry: again = "always", variables = {} } = storedParts.parse(body);
  return kind === "journey" && subject !== undefined ? { rule: subject, reentry: again, variables } : null;
}

export type Placements = {
  /** The placement of an execution without an Idempotency-Key: this version's own setting. */
  readonly plain: Placement;
  /** The placement of an execution with an Idempotency-Key: the setting of the name's first version. */
  readonly keyed: Placement;
};

export function placementsOf({ body, keyedPlacement }: StoredDefinition): Placements {
  const plain = storedParts.parse(JSON.parse(body)).placement ?? defaults.placement;
  return { plain, keyed: keyedPlacement ?? plain };
}

const DRAFT = "@draft";

/**
 * Parses a reference (id, name, name@version or name@draft). Returns null if it is invalid, or if `version` differs
 * from the version in the reference.
 */
export function parseReference(reference: string, version: number | null = null): DefinitionKey | null {
  if (isIdOf("def", reference)) return version === null ? { id: reference } : null;
  const name = reference.endsWith(DRAFT) ? reference.slice(0, -DRAFT.length) : null;
  if (name === null) return versionKey(reference, version);
  return version === null ? { name, draft: true } : null;
}

/** True for a name without a version. Such a name resolves to the version that was published last. */
export function isBareName(key: DefinitionKey): boolean {
  return "version" in key && key.version === null;
}

/**
 * Refuses a definition that may not start executions: it is archived, or all its versions are drafts or rolled back.
 */
export function checkStartable(reference: string, { ref, archived, unpublished }: FoundDefinition): Result<null> {
  if (archived)
    return refuse({
      code: "definition_archived",
      message: `The definition ${reference} is archived and cannot start executions.`,
      hint: "Name another version, or store a new version.",
    });
  if (!unpublished) return accept(null);
  const version = `${ref.name}@${ref.version}`;
  return refuse({
    code: "definition_unpublished",
    message: `No version of ${ref.name} is published: it has only drafts.`,
    hint: `Publish a version: POST /v1/definitions/${version}/publish. Or name the draft to test it: "definition": "${version}".`,
    details: { newest: ref.version },
  });
}
