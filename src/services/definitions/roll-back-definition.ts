// Rollback: reverts the last publication of a name, so that the name resolves to the version published before it.
// Executions of the reverted version continue; the answer contains their number.
import type { StoredDefinition } from "#catalog/definitions.ts";
import { liveVersions } from "#catalog/publications/live-versions.ts";
import { rollBackVersions } from "#catalog/publications/publications.ts";
import { findVersion } from "#catalog/versioned.ts";
import { planRollback, type RollbackPlan } from "#policy/versions/rollback.ts";
import { PUBLICATIONS_REVERTED_MAX, PUBLISH_TRIES_MAX } from "#schema/limits/definition-sizes.ts";
import type { LiveVersions } from "#schema/definition/live-versions.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/audit.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { missingVersion } from "../versioned/suggest-names.ts";
import { definitionNoun } from "./definition-noun.ts";
import { cacheDefinition, isBareName, parseReference } from "./find-definition.ts";
import { capsOf, publishingBusy, publicationMismatch, publicationStackOf, publicationOf } from "./publications.ts";

export type RollBackDefinition = {
  /**
   * The name to roll back. If the reference has a version, the rollback is refused unless that version is the published
   * one.
   */
  readonly reference: string;
  /** The version to restore; null: the version published before the current one. */
  readonly to: number | null;
  readonly reason: string | null;
  readonly ifPublication: number | null;
  readonly dryRun: boolean;
};
export type RolledBackDefinition = {
  /** The version that the name resolves to after the rollback. */
  readonly definition: StoredDefinition;
  readonly takenBack: readonly number[];
  readonly was: number;
  readonly publication: number;
  readonly live: LiveVersions;
};

export async function rollBackDefinition(
  deps: Deps,
  caller: TenantCaller,
  { reference, to, ...options }: RollBackDefinition,
): Promise<Result<RolledBackDefinition>> {
  const key = parseReference(reference);
  const row = key === null ? null : await findVersion(deps.db, definitionNoun.versions, caller.tenant, key);
  if (key === null || row === null) return refuse(await missingVersion(deps, definitionNoun, caller.tenant, reference));
  const { name, version } = row;
  const live = await liveVersions(deps.db, caller.tenant, name);
  let from = isBareName(key) ? null : version;
  for (let tries = 0; tries < PUBLISH_TRIES_MAX; tries++) {
    const { number, stack } = await publicationStackOf(deps, row, PUBLICATIONS_REVERTED_MAX + 1);
    if (options.ifPublication !== null && options.ifPublication !== number)
      return refuse(publicationMismatch(name, options.ifPublication, number));
    const rollback = planRollback(stack, { name, from, to });
    if (!rollback.ok) return rollback;
    const planned = { ...options, from: stack[0]?.version ?? version, number, live, ...rollback.value };
    const rolledBack = await storeRollback(deps, caller, name, planned);
    if (rolledBack !== null) return accept(rolledBack);
    // Another request changed the publications first. This client wants to revert the version that was published at the
    // first try, so the next try accepts no other.
    ({ from } = planned);
  }
  return refuse(publishingBusy(name));
}

type PlannedRollback = RollbackPlan &
  Pick<RollBackDefinition, "reason" | "dryRun"> & {
    readonly from: number;
    readonly number: number;
    readonly live: LiveVersions;
  };

/**
 * Stores the rollback. Returns null if another request changed the publications first; the caller then plans the
 * rollback again.
 */
async function storeRollback(
  deps: Deps,
  caller: TenantCaller,
  name: string,
  { target, takenBack, from, number, live, reason, dryRun }: PlannedRollback,
): Promise<RolledBackDefinition | null> {
  const { version } = target;
  const stored = await findVersion(deps.db, definitionNoun.versions, caller.tenant, { name, version });
  if (stored === null) return null;
  const definition = { ...stored, isNameTarget: true };
  const rolledBack = { definition, takenBack, was: from, publication: number + 1, live };
  if (dryRun) return rolledBack;
  const audit = auditRow(deps, caller, "definition.rollback", `${name}@${from}`, reason);
  const publication = publicationOf(audit, name, { number: number + 1, verb: "rolled_back", version, was: from });
  deps.answerWith?.(rolledBack);
  if (!(await rollBackVersions(deps.db, target, { publication, audit, caps: capsOf(stored) }))) return null;
  cacheDefinition(definition, deps.now());
  return rolledBack;
}
