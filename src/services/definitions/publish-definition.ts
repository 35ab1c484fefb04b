// Publishes a version: a draft, or any other one that is still there. Starts that name no version take it from then on;
// what runs keeps its own. Its tests have to hold, and what it names and nobody has is told.
import type { StoredDefinition } from "#catalog/definitions.ts";
import { liveVersions } from "#catalog/publications/live-versions.ts";
import { findVersion } from "#catalog/versioned.ts";
import { testDefinition } from "#kernel/virtual/test-definition.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { LiveVersions } from "#schema/definition/live-versions.ts";
import { accept, refuse, type Refusal, type Result, type Warning } from "#schema/refusal.ts";
import type { Tested } from "#schema/virtual/tested.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { pinTemplates } from "../templates/pin-templates.ts";
import { missing } from "../versioned/near-names.ts";
import { invalidVersion } from "../versioned/versioned-noun.ts";
import { compute } from "../computing/compute.ts";
import { definitionNoun } from "./definition-noun.ts";
import { isNameAlone, parseReference } from "./definition-reference.ts";
import { makeMeant, type Meant } from "./publishing.ts";
import { catalogWarnings, failedFindings, testWarnings } from "./validate-definition.ts";

export type PublishDefinition = {
  /** A name alone means its newest draft. */
  readonly reference: string;
  readonly reason: string | null;
  readonly ifPublication: number | null;
  readonly dryRun: boolean;
};
export type PublishedDefinition = Meant & {
  readonly tested: readonly Tested[];
  readonly warnings: readonly Warning[];
  readonly live: LiveVersions;
};

export async function publishDefinition(
  deps: Deps,
  caller: TenantCaller,
  { reference, ...asked }: PublishDefinition,
): Promise<Result<PublishedDefinition>> {
  const found = await versionMeant(deps, caller.tenant, reference);
  if (!found.ok) return found;
  const row = found.value;
  if (row.archivedAt !== null) return refuse(isArchived(row));
  const definition = JSON.parse(row.body) as Definition; // was checked before it was stored
  const computed = await compute(deps, caller.tenant, testDefinition(definition, definition.tests ?? []));
  if (!computed.ok) return computed;
  const tested = computed.value;
  const blocked = failedFindings(tested, ({ blocking }) => blocking);
  if (blocked.length > 0) return refuse(invalidVersion("definition", blocked));
  const warnings = [
    ...(await catalogWarnings(deps, caller, definition)),
    ...(await templateWarnings(deps, caller.tenant, definition)),
    ...testWarnings(tested),
  ];
  const live = await liveVersions(deps.db, caller.tenant, row.name);
  const told = (meant: Meant): PublishedDefinition => ({ ...meant, tested, warnings, live });
  const meant = await makeMeant(deps, caller, { row, ...asked }, told);
  return meant.ok ? accept(told(meant.value)) : meant;
}

async function versionMeant(deps: Deps, tenant: string, reference: string): Promise<Result<StoredDefinition>> {
  const { versions } = definitionNoun;
  const key = parseReference(reference);
  if (key !== null && isNameAlone(key)) {
    const draft = await findVersion(deps.db, versions, tenant, { name: reference, draft: true });
    if (draft !== null) return accept(draft);
    const other = await findVersion(deps.db, versions, tenant, key);
    if (other !== null) return refuse(noDraft(other));
  }
  const row = key === null || isNameAlone(key) ? null : await findVersion(deps.db, versions, tenant, key);
  return row === null ? refuse(await missing(deps, definitionNoun, tenant, reference)) : accept(row);
}

/** They were pinned when the version was stored, and may have been archived since. */
async function templateWarnings(deps: Deps, tenant: string, definition: Definition): Promise<readonly Warning[]> {
  const { findings } = await pinTemplates(deps, tenant, definition);
  return findings.map(({ pointer, code, message }) => {
    const fix = "Store a new version, with a template that is there: its runs may fail.";
    return { severity: "warning", pointer, code, message, fix };
  });
}

function isArchived({ name, version }: StoredDefinition): Refusal {
  return {
    code: "definition_archived",
    message: `${name}@${version} is archived, and starts nothing any more.`,
    hint: "Store the same content again: it is a new version then.",
  };
}

function noDraft({ name, version }: StoredDefinition): Refusal {
  return {
    code: "nothing_to_publish",
    message: `There is no draft of "${name}".`,
    hint: `Say which version: POST /v1/definitions/${name}@${version}/publish. GET /v1/definitions/${name}/versions lists them.`,
  };
}
