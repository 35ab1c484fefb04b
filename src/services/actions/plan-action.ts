// Turns a request to carry out one action into the item its cell is given: checked as a definition's action is, its
// template pinned, its runner's defaults filled in. What this isolate remembers costs nothing.
import { oneActionFindings } from "#kernel/verify/actions.ts";
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { StartItem } from "#schema/engine/cell.ts";
import type { DefinitionRef } from "#schema/definition/definition.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { accept, refuse, type Finding, type Result } from "#schema/refusal.ts";
import { ACTION_REF, type Dedup, type WrittenAction } from "#schema/definition/standalone.ts";
import { limits } from "#schema/limits.ts";
import { runnerFindings, withRunnerDefaults } from "./check-action.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { fingerprint } from "../caller/fingerprint.ts";
import { pinOneAction } from "../templates/pin-templates.ts";
import { timeOrderedId } from "#schema/ids.ts";
import { dedupedExecutionId, keyedExecutionId } from "../cells/placement.ts";
import { placeInPool, type Placed } from "../pools/place-in-pool.ts";
import { checkVariables } from "../size-limits.ts";

export type ActionRequest = {
  readonly action: WrittenAction;
  /** Templates in the config see them as `execution.variables`. */
  readonly variables: JsonObject;
  readonly namespace: string;
  readonly correlationId: string | null;
  /** The caller's Idempotency-Key: with the same one, the same action is meant, however late it comes again. */
  readonly key: string | null;
  readonly dedup: Dedup | null;
};

export type PlanActionDeps = Pick<
  Deps,
  "now" | "randomBytes" | "db" | "log" | "background" | "actionTypes" | "configFindings"
>;

export async function planAction(
  deps: PlanActionDeps,
  caller: TenantCaller,
  request: ActionRequest,
  ref: DefinitionRef,
): Promise<Result<StartItem>> {
  const { tenant } = caller;
  const { key, dedup, variables } = request;
  const sized = checkVariables(variables);
  if (!sized.ok) return sized;
  const checked = await checkAction(deps, tenant, definitionOf(request.action), dedupFindings(dedup));
  if (!checked.ok) return checked;
  const placed = await placeOf(deps, tenant, request, ref);
  if (!placed.ok) return placed;
  const { execution, pool } = placed.value;
  const command = {
    kind: "start",
    inputId: key ?? timeOrderedId("inp", deps.now(), deps.randomBytes(10)),
    execution,
    tenant,
    namespace: request.namespace,
    definition: ref,
    placement: "pooled",
    variables,
    correlationId: request.correlationId,
    // Only a caller's own key can come again with another body.
    fingerprint: key === null ? "" : await fingerprint(bodyOf(request)),
    actor: caller.actor,
    standalone: { action: withRunnerDefaults(deps, checked.value), dedup },
  } as const;
  return accept({ command, definition: null, ...(pool ? { pool } : {}) });
}

/** All that is wrong with it at once; pointers begin at the action itself. What comes back has its template pinned. */
export async function checkAction(
  deps: PlanActionDeps,
  tenant: string,
  action: ActionDefinition,
  more: readonly Finding[] = [],
): Promise<Result<ActionDefinition>> {
  try {
    const pinned = await pinOneAction(deps, tenant, action, "");
    const findings = [
      ...oneActionFindings(action, null, ""),
      ...runnerFindings(deps, action, ""),
      ...pinned.findings,
      ...more,
    ];
    return findings.length === 0 ? accept(pinned.action) : refuse(invalid(findings));
  } catch (cause) {
    deps.log({ level: "error", event: "templates_unavailable", message: String(cause) });
    return refuse(unavailable);
  }
}

function definitionOf({ actionId, ...written }: WrittenAction): ActionDefinition {
  return { ...written, actionId: actionId ?? written.type, retryPolicy: written.retryPolicy ?? "reaction" };
}

/** A dedup key goes first: it leads all its callers to one cell, which also knows the Idempotency-Keys they came with. */
function placeOf(
  deps: PlanActionDeps,
  tenant: string,
  { key, dedup }: ActionRequest,
  { id: kind }: DefinitionRef,
): Promise<Result<Placed>> {
  if (dedup !== null)
    return placeInPool(deps, tenant, (pool) => dedupedExecutionId(pool, tenant, dedup.key, deps.now()));
  if (key === null) return placeInPool(deps, tenant, null);
  // No key of a caller's holds a line break: the same one given to start an execution means something else. Nor does it
  // mean an alert, whose keys anybody can work out: who used one first would keep that alert from being sent.
  const meant = kind === ACTION_REF.id ? `action\n${key}` : `${kind}\n${key}`;
  return placeInPool(deps, tenant, (pool) => keyedExecutionId(pool, tenant, meant));
}

function bodyOf({ key: _key, ...body }: ActionRequest): Json {
  return JSON.parse(JSON.stringify(body)) as Json; // what may be absent is left out
}

function dedupFindings(dedup: Dedup | null): readonly Finding[] {
  const { dedupWindowMsMin: min, dedupWindowMsMax: max } = limits;
  // Written this way round, no number at all is outside, too.
  if (dedup === null || (dedup.windowMs >= min && dedup.windowMs <= max)) return [];
  const message = "a window is between one second and 30 days long, without years and months";
  return [{ pointer: "/dedupWindow", code: "out_of_range", message, hint: 'such as "PT24H" or 86400000' }];
}

function invalid(errors: readonly Finding[]) {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const message = `The action is not valid: ${first?.pointer ?? ""}: ${first?.message ?? ""}${more}.`;
  return { code: "action_invalid", message, errors } as const;
}

const unavailable = {
  code: "unavailable",
  message: "Templates cannot be looked up just now.",
  hint: "Send the same request again with the same Idempotency-Key.",
} as const;
