// Policies: creates, finds, lists, replaces and deletes them. Attempts heed a change within half a minute.
import { policyRows, type StoredPolicy } from "#catalog/policies/policies.ts";
import { ruleFindings } from "#kernel/language/rule-findings.ts";
import { typeNeverOpen } from "#policy/gates/open-together.ts";
import { zoneRuleOf } from "#schema/definition/timing.ts";
import type { JsonObject } from "#schema/json.ts";
import { policy, type Policy } from "#schema/policies/policy.ts";
import { accept, refuse, type Finding, type Result } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { changeNamed } from "../named/change-named.ts";
import { createNamed } from "../named/create-named.ts";
import { invalidNamed, findByRef, listOf, type NamedNoun, type NamedView } from "../named/named-noun.ts";
import { putNamed, tagOf, type NamedBodies, type PutNamed, type WriteOutcome } from "../named/put-named.ts";
import { evictTenantSettings, findPolicies } from "../quotas/tenant-settings.ts";

export type PolicyView = NamedView<StoredPolicy>;

export const policyNoun: NamedNoun<StoredPolicy> = {
  word: "policy",
  one: "a policy",
  verb: "policy",
  idPrefix: "pol",
  rows: policyRows,
  find: findByRef(policyRows, "pol"),
  quota: "policies",
  evict: evictTenantSettings,
};

export const listPolicies = listOf(policyRows);

function policyAsWritten({ name, kind, settings }: Omit<PolicyView, "id">): JsonObject {
  return { name, kind, ...settings } as JsonObject; // The stored settings are parsed JSON.
}

export const policyBodies: NamedBodies<StoredPolicy, Policy> = {
  noun: policyNoun,
  schema: policy,
  asWritten: policyAsWritten,
  create: createPolicy,
  replace: replacePolicy,
};

export function putPolicy(
  deps: Deps,
  caller: TenantCaller,
  input: PutNamed,
): Promise<Result<WriteOutcome<PolicyView>>> {
  return putNamed(deps, caller, policyBodies, input);
}

export function policyTag(view: PolicyView): Promise<string> {
  return tagOf(policyAsWritten(view));
}

type NewPolicy = { readonly body: Policy; readonly dryRun: boolean };

async function createPolicy(
  deps: Deps,
  caller: TenantCaller,
  { body, dryRun }: NewPolicy,
): Promise<Result<PolicyView>> {
  const checked = await checkPolicy(deps, caller, body);
  if (!checked.ok) return checked;
  const { name, kind, ...settings } = body;
  return createNamed(deps, caller, policyNoun, { name, complete: (row) => ({ ...row, kind, settings }), dryRun });
}

async function replacePolicy(
  deps: Deps,
  caller: TenantCaller,
  row: StoredPolicy,
  { body, reason, dryRun }: NewPolicy & { readonly reason: string | null },
): Promise<Result<PolicyView>> {
  const checked = await checkPolicy(deps, caller, body);
  if (!checked.ok) return checked;
  const { name, kind, ...settings } = body;
  return changeNamed(deps, caller, policyNoun, { row, change: { name, kind, settings }, reason, dryRun });
}

async function checkPolicy(deps: Deps, { tenant }: TenantCaller, body: Policy): Promise<Result<null>> {
  const findings = [...typeFindings(deps, body), ...zoneFindings(body)];
  if (findings.length > 0) return refuse(invalidNamed("policy", findings));
  const others = await findPolicies(deps, tenant);
  const never = typeNeverOpen(body, others, deps.now());
  if (never === null) return accept(null);
  const message = `never opens for the action type ${never}, alone or together with the tenant's other policies`;
  const hint = "Widen the opening hours, so that they overlap with those of the other policies.";
  return refuse(invalidNamed("policy", [{ pointer: "/window", code: "never_open", message, hint }]));
}

function typeFindings({ actionTypes }: Deps, { types }: Policy): readonly Finding[] {
  const known = Object.keys(actionTypes);
  return types.flatMap((type, n) => {
    const pointer = `/types/${n}`;
    if (types.indexOf(type) !== n) return [{ pointer, code: "duplicate", message: "names a type twice" }];
    if (known.includes(type)) return [];
    const guess = didYouMean(type, known);
    const hint = guess === null ? {} : { hint: `Did you mean "${guess}"?` };
    return [{ pointer, code: "unknown_type", message: `there is no action type ${type}`, ...hint }];
  });
}

function zoneFindings({ window: { timezone } }: Policy): readonly Finding[] {
  if (timezone === undefined || typeof timezone === "string") return [];
  return ruleFindings(zoneRuleOf(timezone).rule, "/window/timezone");
}
