// Definition lookup for starts, on the hot path. The isolate caches definitions and refreshes them at intervals,
// because a name may get a new version and a version may be archived. While D1 is down, cached entries stay valid.
import { definitionVersions, type StoredDefinition } from "#catalog/definitions.ts";
import { findVersion } from "#catalog/versioned.ts";
import type { DefinitionRef } from "#schema/definition/definition.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { remembered } from "#schema/limits/isolates.ts";
import type { Deps } from "../deps.ts";
import { isNameAlone, parseReference, placementsOf, type Placements } from "./program-of.ts";
import type { SubjectRule } from "#kernel/execution/subject/subject.ts";
import { subjectRuleOf } from "../subjects/admit-starts.ts";
import { oncePerKey } from "../once-per-key.ts";
import { missingVersion, openNearNames, type FindNear } from "../versioned/suggest-names.ts";
import { dropCached, putCached, isolateCache, cached } from "../isolate-cache.ts";

export type FoundDefinition = {
  readonly ref: DefinitionRef;
  /** The stored body without its tests. The cell parses it only if the cell does not store this version yet. */
  readonly body: string;
  readonly placements: Placements;
  /** The rule that finds the subject of a new execution; null if the definition declares no subject. */
  readonly subject: SubjectRule | null;
  readonly archived: boolean;
  /** True if the reference is a name alone, and the name has only drafts and rolled-back versions. */
  readonly unpublished: boolean;
};

const noun = { word: "definition", versions: definitionVersions } as const;

const latest = known(remembered.latestDefinitions);
const pinned = known(remembered.pinnedDefinitions);

type FindDeps = Pick<Deps, "db" | "now" | "log">;
export type FindDefinition = (reference: string) => Promise<Result<FoundDefinition>>;

export function findDefinition(deps: FindDeps, tenant: string, reference: string): Promise<Result<FoundDefinition>> {
  return openDefinitions(deps, tenant)(reference);
}

/** Opens the lookup for one request: each reference is looked up once, however many items name it. */
export function openDefinitions(deps: FindDeps, tenant: string): FindDefinition {
  const findNear = openNearNames(deps, definitionVersions, tenant);
  return oncePerKey((reference) => look(deps, tenant, reference, findNear));
}

async function look(
  deps: FindDeps,
  tenant: string,
  reference: string,
  findNear: FindNear,
): Promise<Result<FoundDefinition>> {
  const key = parseReference(reference);
  if (key === null) return refuse(await missingVersion(deps, noun, tenant, reference, findNear));
  // The version that a name alone or its newest draft resolves to can change. A reference with a version always finds
  // the same one.
  const remembers = isNameAlone(key) || "draft" in key ? latest : pinned;
  const read = async () => toFound(await findVersion(deps.db, definitionVersions, tenant, key), isNameAlone(key));
  try {
    const found = await cached(remembers, memoryKey(tenant, reference), deps.now, read);
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
export function learnDefinition(row: StoredDefinition, at: number): void {
  const draft = memoryKey(row.tenant, `${row.name}@draft`);
  dropCached(latest, (_found, key) => key === draft);
  if (row.isMeant) putCached(latest, memoryKey(row.tenant, row.name), toFound(row, true), at);
}

/** Evicts a name's versions from this isolate's cache after they were archived. */
export function forgetDefinition(tenant: string, name: string): void {
  const isMeant = (found: FoundDefinition | null, key: string): boolean =>
    found?.ref.name === name && key.startsWith(`${tenant}\n`);
  dropCached(latest, isMeant);
  dropCached(pinned, isMeant);
}

const unavailable = {
  code: "unavailable",
  message: "The catalog does not answer, so definitions cannot be looked up.",
  hint: "Send the same request again with the same Idempotency-Key.",
} as const;

function known({ sizeMax, freshMs, staleMs }: { sizeMax: number; freshMs: number; staleMs: number }) {
  return isolateCache<FoundDefinition | null>({
    sizeMax,
    freshMs: (found) => (found === null ? 0 : freshMs),
    staleMs: (found) => (found === null ? 0 : staleMs),
  });
}

function memoryKey(tenant: string, reference: string): string {
  return `${tenant}\n${reference}`;
}

function toFound(row: StoredDefinition | null, byName: boolean): FoundDefinition | null {
  if (row === null) return null;
  const { id, name, version, body } = row;
  const parsed = JSON.parse(body);
  const subject = subjectRuleOf(parsed);
  // Executions do not need the tests.
  const { tests, ...untested } = parsed;
  return {
    ref: { id, name, version },
    body: tests === undefined ? body : JSON.stringify(untested),
    placements: placementsOf(row),
    subject,
    archived: row.archivedAt !== null,
    unpublished: byName && row.withheld !== null,
  };
}
