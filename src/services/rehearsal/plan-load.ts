// Load plans: plans a load test for an action. A dry run checks that the action could be dispatched, and dispatches
// nothing.
import { planLoad } from "#policy/advice/load-plan.ts";
import type { LoadAction } from "#policy/advice/load-scenarios.ts";
import type { RequestedStandaloneAction } from "#schema/definition/standalone.ts";
import type { LoadConfig, LoadPlan } from "#schema/load.ts";
import { accept, refuse, type Finding, type Refusal, type Result } from "#schema/refusal.ts";
import { actionRequest, dispatchActions, type DispatchDeps } from "../actions/dispatch-actions.ts";
import type { TenantCaller } from "../deps.ts";

type PlanLoadTest = { readonly action: RequestedStandaloneAction; readonly config: LoadConfig };

export async function planLoadTest(
  deps: DispatchDeps,
  caller: TenantCaller,
  request: PlanLoadTest,
): Promise<Result<LoadPlan>> {
  const requests = [actionRequest(request.action, null)];
  const checked = await dispatchActions(deps, caller, { requests, key: null, dryRun: true });
  if (!checked.ok) return checked;
  // Stringifying drops fields whose value is undefined.
  const written = JSON.parse(JSON.stringify(request.action)) as LoadAction;
  const planned = planLoad(written, request.config);
  const findings = planned.ok ? [] : planned.findings;
  const [action] = checked.value;
  if (action !== undefined && !action.ok) return refuse(belowAction(action.refusal, findings));
  return planned.ok ? accept(planned.plan) : refuse(invalid(findings));
}

/**
 * Moves the pointers of findings about the action below /action, because the action is a part of this request's body.
 */
function belowAction(refusal: Refusal, more: readonly Finding[]): Refusal {
  if (refusal.errors === undefined) return refusal;
  const errors = refusal.errors.map((found) => ({ ...found, pointer: `/action${found.pointer}` }));
  return { ...refusal, errors: [...errors, ...more] };
}

function invalid(errors: readonly Finding[]): Refusal {
  const [first] = errors;
  const message = `No load can be planned: ${first?.pointer ?? ""} ${first?.message ?? ""}.`;
  return { code: "invalid_input", message, errors };
}
