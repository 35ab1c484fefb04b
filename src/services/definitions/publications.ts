// Publications of definitions: publishes a version, and lists the publication history of a name.
import type { StoredDefinition } from "#catalog/definitions.ts";
import type { Page } from "#catalog/page.ts";
import type { VersionCaps } from "#catalog/publications/definition-caps.ts";
import { liveVersions } from "#catalog/publications/live-versions.ts";
import { listEligibleVersions, type PublishedInstant } from "#catalog/publications/name-resolution.ts";
import {
  lastPublicationNumber,
  publishVersion,
  type Publication,
  listPublications as list,
} from "#catalog/publications/publications.ts";
import { findVersion, findByName } from "#catalog/versioned.ts";
import { testDefinition } from "#kernel/virtual/test-definition.ts";
import { allowancesOf } from "#policy/subject/allowances.ts";
import { publicationInstant } from "#policy/versions/rollback.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { LiveVersions } from "#schema/definition/live-versions.ts";
import { PUBLISH_TRIES_MAX } from "#schema/limits/definition-sizes.ts";
import { accept, refuse, type Refusal, type Result, type Warning } from "#schema/refusal.ts";
import type { TestResult } from "#schema/virtual/test-result.ts";
import { auditRow } from "../audit/audit.ts";
import { calendarUsesOf } from "../calendars/pin-calendars.ts";
import { compute } from "../computing/compute.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { pinTemplates } from "../templates/pin-templates.ts";
import { missingVersion } from "../versioned/suggest-names.ts";
import { invalidVersion } from "../versioned/versioned-noun.ts";
import { definitionNoun } from "./definition-noun.ts";
import { cacheDefinition, isBareName, parseReference } from "./find-definition.ts";
import { catalogWarnings, failedFindings, testWarnings } from "./validate-definition.ts";

export type VersionToPublish = {
  readonly row: StoredDefinition;
  readonly reason: string | null;
  /**
   * The number of the last publication that the client has read. Null: publish even if other versions were published
   * since.
   */
  readonly ifPublication: number | null;
  readonly dryRun: boolean;
};

export type CurrentVersion = {
  readonly definition: StoredDefinition;
  readonly changed: boolean;
  /** The version that the name resolved to before this publication; null if no version was published. */
  readonly was: number | null;
  /** The number of this publication. */
  readonly publication: number;
};

/**
 * Publishes a version, so that its name resolves to it. If another request publishes at the same time, the attempt is
 * repeated. `responseOf` builds the response, which is stored together with the change.
 */
export async function makeCurrent(
  deps: Deps,
  caller: TenantCaller,
  { row, reason, ifPublication, dryRun }: VersionToPublish,
  responseOf: (made: CurrentVersion) => unknown,
): Promise<Result<CurrentVersion>> {
  for (let tries = 0; tries < PUBLISH_TRIES_MAX; tries++) {
    const { number, stack } = await publicationStackOf(deps, row, 1);
    const [top] = stack;
    if (ifPublication !== null && ifPublication !== number)
      return refuse(publicationMismatch(row.name, ifPublication, number));
    const previousVersion = top?.version ?? null;
    if (previousVersion === row.version)
      return accept({ definition: row, changed: false, was: previousVersion, publication: number });
    const publishedInstant = { version: row.version, at: publicationInstant(deps.now(), top) };
    const definition = { ...row, publishedAt: publishedInstant.at, withheld: null, isNameTarget: true };
    const made = { definition, changed: true, was: previousVersion, publication: number + 1 };
    if (dryRun) return accept(made);
    const audit = auditRow(deps, caller, "definition.publish", `${row.name}@${row.version}`, reason);
    const publication = publicationOf(audit, row.name, {
      number: number + 1,
      verb: "published",
      version: row.version,
      was: previousVersion,
    });
    deps.answerWith?.(responseOf(made));
    const change = { publication, audit, caps: capsOf(row) };
    if (!(await publishVersion(deps.db, publishedInstant, change, calendarUsesOf(deps, row)))) continue;
    cacheDefinition(definition, deps.now());
    return accept(made);
  }
  return refuse(publishingBusy(row.name));
}

/**
 * Returns the number of the name's last publication, and its latest published versions. The number is read first. If
 * another publication follows meanwhile, the change then fails because its number is already used.
 */
export async function publicationStackOf(
  { db }: Pick<Deps, "db">,
  { tenant, name }: Pick<StoredDefinition, "tenant" | "name">,
  limit: number,
): Promise<{ readonly number: number; readonly stack: readonly PublishedInstant[] }> {
  const number = await lastPublicationNumber(db, tenant, name);
  return { number, stack: await listEligibleVersions(db, tenant, name, limit) };
}

type NextPublication = Pick<Publication, "number" | "verb" | "version" | "was">;
type AuditedChange = Pick<Publication, "tenant" | "at" | "actor" | "reason">;

export function publicationOf(
  { tenant, at, actor, reason }: AuditedChange,
  name: string,
  publication: NextPublication,
): Publication {
  return { tenant, name, at, actor, reason, ...publication };
}

/** The caps of a version, as they are stored with its publication. */
export function capsOf({ id, version, body }: Pick<StoredDefinition, "id" | "version" | "body">): VersionCaps {
  return { id, version, allowances: allowancesOf(JSON.parse(body) as Definition) }; // stored bodies are checked definitions
}

export function publicationMismatch(name: string, expected: number, number: number): Refusal {
  return {
    code: "revision_mismatch",
    message: `If-Match is ${expected}, but the last publication of ${name} has the number ${number}. Another request has published or rolled back a version.`,
    hint: `Read the current state: GET /v1/definitions/${name}/publications. Nothing was changed.`,
    details: { publication: number },
  };
}

export function publishingBusy(name: string): Refusal {
  return { code: "unavailable", message: `Too many requests publish versions of "${name}" at the same time.` };
}

export type PublishDefinition = {
  /** The version to publish. If it is a name alone, the newest draft of the name is published. */
  readonly reference: string;
  readonly reason: string | null;
  readonly ifPublication: number | null;
  readonly dryRun: boolean;
};
export type PublishedDefinition = CurrentVersion & {
  readonly tested: readonly TestResult[];
  readonly warnings: readonly Warning[];
  readonly live: LiveVersions;
};

export async function publishDefinition(
  deps: Deps,
  caller: TenantCaller,
  { reference, ...options }: PublishDefinition,
): Promise<Result<PublishedDefinition>> {
  const found = await findVersionToPublish(deps, caller.tenant, reference);
  if (!found.ok) return found;
  const row = found.value;
  if (row.archivedAt !== null) return refuse(versionArchived(row));
  const definition = JSON.parse(row.body) as Definition; // The stored body passed the checks of a definition.
  const computed = await compute(deps, caller.tenant, testDefinition(definition, definition.tests ?? []));
  if (!computed.ok) return computed;
  const tested = computed.value;
  const blocking = failedFindings(tested, ({ blocking }) => blocking);
  if (blocking.length > 0) return refuse(invalidVersion("definition", blocking));
  const warnings = [
    ...(await catalogWarnings(deps, caller, definition)),
    ...(await templateWarnings(deps, caller.tenant, definition)),
    ...testWarnings(tested),
  ];
  const live = await liveVersions(deps.db, caller.tenant, row.name);
  const publication = (made: CurrentVersion): PublishedDefinition => ({ ...made, tested, warnings, live });
  const made = await makeCurrent(deps, caller, { row, ...options }, publication);
  return made.ok ? accept(publication(made.value)) : made;
}

/** Finds the version that `name@version` names, or the newest draft of a name alone. */
async function findVersionToPublish(deps: Deps, tenant: string, reference: string): Promise<Result<StoredDefinition>> {
  const { versions } = definitionNoun;
  const key = parseReference(reference);
  const missing = async () => refuse(await missingVersion(deps, definitionNoun, tenant, reference));
  if (key === null) return missing();
  if (isBareName(key)) {
    const draft = await findVersion(deps.db, versions, tenant, { name: reference, draft: true });
    if (draft !== null) return accept(draft);
    const published = await findVersion(deps.db, versions, tenant, key);
    return published === null ? missing() : refuse(noDraft(published));
  }
  const version = await findVersion(deps.db, versions, tenant, key);
  return version === null ? missing() : accept(version);
}

/** Warns about pinned templates that were archived after this version was stored. */
async function templateWarnings(deps: Deps, tenant: string, definition: Definition): Promise<readonly Warning[]> {
  const { findings } = await pinTemplates(deps, tenant, definition);
  return findings.map(({ pointer, code, message }) => {
    const fix = "Runs of this version may fail. Store a new version that names an existing template.";
    return { severity: "warning", pointer, code, message, fix };
  });
}

function versionArchived({ name, version }: StoredDefinition): Refusal {
  return {
    code: "definition_archived",
    message: `${name}@${version} is archived, and cannot start executions.`,
    hint: "Store the same content again. The engine then creates a new version.",
  };
}

function noDraft({ name, version }: StoredDefinition): Refusal {
  return {
    code: "nothing_to_publish",
    message: `There is no draft of "${name}".`,
    hint: `Name a version: POST /v1/definitions/${name}@${version}/publish. GET /v1/definitions/${name}/versions lists them.`,
  };
}

export type ListPublications = { readonly name: string; readonly cursor: string | null; readonly limit: number };

export async function listPublications(
  deps: Deps,
  { tenant }: TenantCaller,
  { name, cursor, limit }: ListPublications,
): Promise<Result<Page<Publication>>> {
  const page = await list(deps.db, tenant, name, cursor, limit);
  if (!page.ok || cursor !== null || page.value.data.length > 0) return page;
  // A name without publications may have drafts. If it has no version at all, it is refused.
  const known = await findByName(deps.db, definitionNoun.versions, tenant, name);
  return known === null ? refuse(await missingVersion(deps, definitionNoun, tenant, name)) : page;
}
