// Trigger checks that the schema cannot express: a trigger's rules, its templates, and the definition that it starts.
// All findings are reported together.
import { ruleFindings } from "#kernel/language/logic.ts";
import { templateFindings } from "#kernel/language/render.ts";
import { secretsIn } from "#kernel/language/template.ts";
import { mappingNameWarnings } from "#policy/inbound/mapping-names.ts";
import { parseKeepMs } from "#policy/directory/keep-for.ts";
import type { Trigger, TriggerSettings } from "#schema/inbound/trigger.ts";
import type { Json } from "#schema/json.ts";
import { accept, refuse, type Finding, type Result, type Warning } from "#schema/refusal.ts";
import { findDefinition } from "../definitions/find-definition.ts";
import { isCatalogFailure } from "../catalog-failure.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { invalidNamed } from "../named/named-noun.ts";
import { missingSecrets } from "../secrets/missing-secrets.ts";
import { checkTriggerSize } from "../size-limits.ts";
import { pollFindings } from "./check-poll.ts";

type CheckDeps = Pick<Deps, "db" | "now" | "log" | "background" | "configFindings">;

export async function checkTrigger(deps: CheckDeps, tenant: string, body: Trigger): Promise<Result<null>> {
  const size = checkTriggerSize(body);
  if (!size.ok) return size;
  const definition = await definitionFindings(deps, tenant, body);
  if (!definition.ok) return definition;
  const pollerFindings = body.kind === "poller" ? await pollFindings(deps, tenant, body.poll) : [];
  const findings = [...mappingFindings(body), ...definition.value, ...pollerFindings];
  return findings.length === 0 ? accept(null) : refuse(invalidNamed("trigger", findings));
}

/** Returns warnings about a stored trigger. If the catalog does not answer, unset secrets are not found. */
export async function triggerWarnings(
  deps: Deps,
  caller: TenantCaller,
  settings: TriggerSettings,
): Promise<readonly Warning[]> {
  return [...mappingNameWarnings(settings), ...(await unsetSecretWarnings(deps, caller, settings))];
}

async function unsetSecretWarnings(
  deps: Deps,
  { tenant }: TenantCaller,
  { verify }: TriggerSettings,
): Promise<readonly Warning[]> {
  if (verify.scheme === "none") return [];
  const missing = await missingSecrets(deps, tenant, [verify.secret]).catch((cause: unknown) => {
    if (isCatalogFailure(cause)) return [];
    throw cause;
  });
  return missing.map((name) => ({
    severity: "warning",
    pointer: "/verify/secret",
    code: "secret_unset",
    message: `there is no secret ${name}, so the trigger refuses every request`,
    fix: `Set the secret: PUT /v1/secrets/${name}.`,
  }));
}

/** Adds the warnings to the result of a write. */
export async function withWarnings<View extends { readonly settings: TriggerSettings }>(
  deps: Deps,
  caller: TenantCaller,
  view: View,
): Promise<View & { readonly warnings: readonly Warning[] }> {
  return { ...view, warnings: await triggerWarnings(deps, caller, view.settings) };
}

function mappingFindings({ when, sequence, target }: Trigger): readonly Finding[] {
  const { assign = {}, kind: _kind, ...written } = target;
  const templates = written as Json; // The target is parsed JSON.
  const keep = target.kind === "correlate" ? parseKeepMs(target.keep, "/target/keep") : accept(0);
  return [
    ...(keep.ok ? [] : (keep.refusal.errors ?? [])),
    ...(when === undefined ? [] : ruleFindings(when, "/when", "condition")),
    ...(sequence === undefined ? [] : ruleFindings(sequence.value, "/sequence/value")),
    ...(sequence?.by === undefined ? [] : ruleFindings(sequence.by, "/sequence/by")),
    ...Object.entries(assign).flatMap(([name, rule]) => ruleFindings(rule, `/target/assign/${name}`)),
    ...templateFindings(templates, "/target"),
    ...secretFindings(templates, "/target"),
  ];
}

/** Refuses secrets in mappings, because the result of a mapping is stored in histories and shown to clients. */
function secretFindings(value: Json, pointer: string): Finding[] {
  if (typeof value === "string") {
    if (secretsIn(value).length === 0) return [];
    const message = "secrets are not available in mappings, because their results are stored and shown";
    return [{ pointer, code: "secret_misused", message }];
  }
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, item]: [string, Json]) => secretFindings(item, `${pointer}/${name}`));
}

/** Checks that the started definition exists. With a misspelt name, no delivery could be mapped. */
async function definitionFindings(
  deps: CheckDeps,
  tenant: string,
  { target }: Trigger,
): Promise<Result<readonly Finding[]>> {
  if (target.kind !== "start") return accept([]);
  const found = await findDefinition(deps, tenant, target.definition);
  if (found.ok) return accept([]);
  const { code, message, hint } = found.refusal;
  if (code !== "not_found") return found;
  return accept([{ pointer: "/target/definition", code, message, ...(hint === undefined ? {} : { hint }) }]);
}
