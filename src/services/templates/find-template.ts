// The template that a message is made of, parsed: remembered by the isolate. A version never changes, so it is
// remembered for good; what a bare name means is looked at again now and then. With D1 down, what was known goes on.
import { templateVersions, type StoredTemplate } from "#catalog/templates.ts";
import { findVersion, type VersionKey } from "#catalog/versioned.ts";
import { openMessage, type Message } from "#kernel/language/message-template.ts";
import type { MessageTemplate } from "#schema/template.ts";
import { remembered } from "#schema/limits/isolates.ts";
import type { Deps } from "../deps.ts";
import { drop, put, isolateCache, cached } from "../isolate-cache.ts";
import { parseVersionReference } from "../versioned/version-reference.ts";
import { withTimeLimit } from "../time-limit.ts";

export type FoundTemplate = { readonly name: string; readonly version: number; readonly message: Message };
export type TemplateDeps = Pick<Deps, "now" | "db" | "log">;

const latest = known(remembered.templates.freshMs);
const pinned = known(Number.POSITIVE_INFINITY);

/** null: there is none, or (for a bare name) none that is not archived. Throws what D1 throws. */
export async function findTemplate(
  deps: TemplateDeps,
  tenant: string,
  reference: string,
): Promise<FoundTemplate | null> {
  const key = parseVersionReference(reference);
  const remembers = key.version === null ? latest : pinned;
  const look = async () =>
    toFound(await withTimeLimit(remembered.templates.lookMs, findVersion(deps.db, templateVersions, tenant, key)), key);
  return cached(remembers, memoryKey(tenant, reference), deps.now, look);
}

/** For the isolate in which a version was created: its name means that version from now on. */
export function learnTemplate(row: StoredTemplate, at: number): void {
  put(latest, memoryKey(row.tenant, row.name), toFound(row, { name: row.name, version: null }), at);
}

/** For the isolate in which versions of a name were archived: the name may mean another one now. */
export function forgetTemplate(tenant: string, name: string): void {
  drop(latest, (_found, key) => key === memoryKey(tenant, name));
}

function known(freshMs: number) {
  return isolateCache<FoundTemplate | null>({
    sizeMax: remembered.templates.sizeMax,
    freshMs: (found) => (found === null ? 0 : freshMs),
    staleMs: (found) => (found === null ? 0 : remembered.templates.staleMs),
  });
}

function memoryKey(tenant: string, reference: string): string {
  return `${tenant}\n${reference}`;
}

/** A version that is named goes on when it is archived: what is under way sends what it was going to send. */
function toFound(row: StoredTemplate | null, { version }: VersionKey): FoundTemplate | null {
  if (row === null || (version === null && row.archivedAt !== null)) return null;
  return { name: row.name, version: row.version, message: openMessage(templateOf(row)) };
}

/** Stored by us, from a checked template. */
export function templateOf({ body }: StoredTemplate): MessageTemplate {
  return JSON.parse(body) as MessageTemplate;
}
