// What an operation over many executions would be about and how long it would take, and what it would come to for some of them: their
// executions work it out on their real states and throw it away.
import type { Result } from "#schema/refusal.ts";
import { accept } from "#schema/refusal.ts";
import type { FoundExecution } from "#schema/engine/steering.ts";
import { STEER_KINDS_SHOWN, STEER_SAMPLE_MAX } from "#schema/limits/upkeep.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { countMeant, findMeant } from "../executions/meant-executions.ts";
import { steeredBy } from "./operation-view.ts";
import { checkSteer, type SteerMany } from "./start-steering.ts";
import { trySteering, type TriedSteering } from "./try-steering.ts";

type Tally = { readonly [what: string]: number };
export type PreviewedSteering = {
  readonly matching: number;
  readonly estimatedSeconds: number;
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly byStatus: Tally;
  /** By name@version, the largest first. */
  readonly byDefinition: Tally;
  readonly sample: { readonly of: number; readonly outcomes: Tally; readonly items: readonly TriedSteering[] };
};

export async function previewSteering(
  deps: Deps,
  caller: TenantCaller,
  { steer, filter, perSecond, reason, ifState }: SteerMany,
): Promise<Result<PreviewedSteering>> {
  const sized = checkSteer(deps, steer);
  if (!sized.ok) return sized;
  const meant = steeredBy({ filter, createdAt: deps.now() });
  const [counts, page] = await Promise.all([
    countMeant(deps, caller.tenant, meant, steer),
    findMeant(deps, caller.tenant, meant, steer, { cursor: null, limit: STEER_SAMPLE_MAX }),
  ]);
  const tried = (found: FoundExecution) =>
    trySteering(deps, caller, { steer, filter, reason, ...(ifState === null ? {} : { ifState }) }, found);
  const items = await Promise.all(page.found.map(tried));
  const matching = counts.reduce((sum, { count }) => sum + count, 0);
  return accept({
    ...{ matching, estimatedSeconds: Math.ceil(matching / perSecond) },
    oldest: counts.length === 0 ? null : Math.min(...counts.map(({ oldest }) => oldest)),
    newest: counts.length === 0 ? null : Math.max(...counts.map(({ newest }) => newest)),
    byStatus: tally(counts.map(({ status, count }) => [status, count])),
    byDefinition: largest(tally(counts.map(({ definition, version, count }) => [`${definition}@${version}`, count]))),
    sample: { of: items.length, outcomes: tally(items.map(({ outcome }) => [outcome, 1])), items },
  });
}

function tally(counted: readonly (readonly [what: string, count: number])[]): Tally {
  const sums = new Map<string, number>();
  for (const [what, count] of counted) sums.set(what, (sums.get(what) ?? 0) + count);
  return Object.fromEntries(sums);
}

function largest(all: Tally): Tally {
  const sorted = Object.entries(all).toSorted(([, one], [, other]) => other - one);
  return Object.fromEntries(sorted.slice(0, STEER_KINDS_SHOWN));
}
