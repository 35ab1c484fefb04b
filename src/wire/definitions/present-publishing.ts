// Results of publishing and rolling back, as API objects.
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import type { LiveVersions } from "#schema/definition/live-versions.ts";
import type { Warning } from "#schema/refusal.ts";
import { toInstant } from "#schema/values.ts";
import type { TestResult } from "#schema/virtual/test-result.ts";
import { presentDefinitionSummary, presentTested, presentWarnings } from "./present.ts";
import type { ApiPublication, ApiPublishedDefinition, ApiRolledBackDefinition } from "./publishing.ts";

type Definition = Parameters<typeof presentDefinitionSummary>[0];
type Meant = { readonly definition: Definition; readonly publication: number; readonly live: LiveVersions };

type Published = Meant & {
  readonly changed: boolean;
  readonly was: number | null;
  readonly tested: readonly TestResult[];
  readonly warnings: readonly Warning[];
};

export function presentPublished(
  { definition, changed, was, publication, live, tested, warnings }: Published,
  dryRun: boolean,
): ApiPublishedDefinition {
  return {
    definition: presentDefinitionSummary(definition),
    changed,
    was,
    publication,
    everywhereWithinMs,
    dryRun,
    live: presentLive(live),
    tests: tested.map(presentTested),
    warnings: presentWarnings(warnings),
  };
}

type RolledBack = Meant & { readonly was: number; readonly takenBack: readonly number[] };

export function presentRolledBack(
  { definition, was, takenBack, publication, live }: RolledBack,
  dryRun: boolean,
): ApiRolledBackDefinition {
  const staying = live.versions
    .filter(({ version }) => takenBack.includes(version))
    .map((each) => ({ ...each, list: `/v1/executions?definition=${definition.name}&version=${each.version}` }));
  return {
    definition: presentDefinitionSummary(definition),
    was,
    takenBack: [...takenBack],
    publication,
    everywhereWithinMs,
    dryRun,
    staying,
    advice: adviceOn(definition.name, takenBack, live),
    live: presentLive(live),
  };
}

export function presentPublication({ at, ...row }: Omit<ApiPublication, "at"> & { at: number }): ApiPublication {
  const { number, verb, version, was, actor, reason } = row;
  return { number, at: toInstant(at), verb, version, was, actor, reason };
}

const everywhereWithinMs = isolateCaches.latestDefinitions.freshMs;

function presentLive({ versions, isWhole }: LiveVersions) {
  return { versions: versions.map((each) => ({ ...each })), isWhole };
}

function adviceOn(name: string, takenBack: readonly number[], { versions, isWhole }: LiveVersions): string {
  const staying = versions.find(({ version }) => takenBack.includes(version));
  if (staying === undefined && isWhole)
    return "The lists contain no live execution of the withdrawn version. Lists lag by seconds, so check again after everywhereWithinMs.";
  const filter = JSON.stringify({ definition: name, version: staying?.version ?? takenBack[0] });
  const all = `POST /v1/operations?dryRun=true {"verb":"pause","filter":${filter}} lists the affected executions; without dryRun it pauses them.`;
  const how = `Live executions continue with their version. To pause, patch or cancel them: ${all}`;
  return isWhole
    ? `${how} Lists lag by seconds, so repeat the request after everywhereWithinMs.`
    : `${how} There may be more such executions than the count says.`;
}
