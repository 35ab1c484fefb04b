// Configuration apply: compares a document with the stored resources, checks everything, and then writes the
// differences in order. Each write is that of a single resource, and requires the state that was compared.
import { isWrite } from "#policy/configuration/plan.ts";
import { secretsOf } from "#policy/configuration/references.ts";
import type { PlanStep, StepState } from "#schema/configuration/document.ts";
import type { Precondition } from "#schema/configuration/precondition.ts";
import { CONFIGURATION_WRITES_MAX } from "#schema/limits/upkeep/configuration.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import { isCatalogFailure } from "../catalog-failure.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { missingSecrets } from "../secrets/missing-secrets.ts";
import type { ConfigurationContext } from "./configuration-noun.ts";
import { nounOf } from "./nouns.ts";
import { planConfiguration, type DesiredConfiguration, type PlannedStep } from "./plan-configuration.ts";

export type ApplyConfiguration = DesiredConfiguration & { readonly reason: string | null; readonly dryRun: boolean };
export type AppliedStep = PlanStep & { readonly state: StepState };
export type AppliedConfiguration = {
  readonly steps: readonly AppliedStep[];
  /** False: steps are left, because one request writes a limited number of resources. Repeat the request. */
  readonly complete: boolean;
  /** The secrets that the document uses and that are not set. */
  readonly missingSecrets: readonly string[];
};

export async function applyConfiguration(
  deps: Deps,
  caller: TenantCaller,
  { reason, dryRun, ...desired }: ApplyConfiguration,
): Promise<Result<AppliedConfiguration>> {
  const planned = await planConfiguration(deps, caller, desired);
  if (!planned.ok) return planned;
  const { context, steps } = planned.value;
  const secrets = [...new Set(desired.items.flatMap(secretsOf))].toSorted();
  const missing = await missingSecrets(deps, caller.tenant, secrets);
  if (dryRun)
    return accept({ steps: steps.map((step) => shown(step, "planned")), complete: true, missingSecrets: missing });
  const conflict = steps.find(({ step }) => step.action === "conflict");
  if (conflict !== undefined) return refuse(conflictRefusal(steps));
  const done: AppliedStep[] = [];
  let writes = 0;
  for (const planStep of steps) {
    if (isWrite(planStep.step) && ++writes > CONFIGURATION_WRITES_MAX) break;
    const written = isWrite(planStep.step) ? await writeSafely(context, planStep, reason) : accept(null);
    if (!written.ok) return refuse(stopped(written.refusal, planStep, done, steps));
    done.push(shown(planStep, "done"));
  }
  const left = steps.slice(done.length).map((step) => shown(step, "left"));
  return accept({ steps: [...done, ...left], complete: left.length === 0, missingSecrets: missing });
}

function shown({ step }: PlannedStep, state: StepState): AppliedStep {
  return { ...step, state };
}

/** Turns a failure of the catalog into a refusal, so that the answer says what was done before. */
async function writeSafely(
  context: ConfigurationContext,
  step: PlannedStep,
  reason: string | null,
): Promise<Result<unknown>> {
  try {
    return await write(context, step, reason);
  } catch (cause) {
    if (!isCatalogFailure(cause)) throw cause;
    return refuse({ code: "unavailable", message: "The catalog is not available now." });
  }
}

function write(
  context: ConfigurationContext,
  { step, item, tag }: PlannedStep,
  reason: string | null,
): Promise<Result<unknown>> {
  const noun = nounOf(step.kind);
  if (item === null) return noun.remove(context, step.name, reason);
  const precondition: Precondition = tag === null ? { kind: "absent" } : { kind: "matches", tags: [tag] };
  return noun.put(context, item, { precondition, reason, dryRun: false });
}

function conflictRefusal(steps: readonly PlannedStep[]): Refusal {
  const errors = steps.flatMap(({ step }) => (step.conflict === null ? [] : [step.conflict]));
  return {
    code: "configuration_conflict",
    message: `The document has ${errors.length === 1 ? "one conflict" : `${errors.length} conflicts`}. Nothing was changed.`,
    hint: "A dry run lists every step with its conflict.",
    errors,
  };
}

/** The refusal of a step, with what was done before it. A repeated request continues, because done steps are left. */
function stopped(
  refusal: Refusal,
  { step }: PlannedStep,
  done: readonly AppliedStep[],
  steps: readonly PlannedStep[],
): Refusal {
  const names = (list: readonly PlanStep[]): string[] =>
    list.filter(isWrite).map(({ kind, name }) => `${kind}/${name}`);
  const pointer = step.pointer ?? "";
  return {
    ...refusal,
    message: `${refusal.message} The request stopped at ${step.kind}/${step.name}; the steps before it were done.`,
    errors: (refusal.errors ?? []).map((each) => ({ ...each, pointer: `${pointer}${each.pointer}` })),
    details: {
      ...refusal.details,
      stoppedAt: `${step.kind}/${step.name}`,
      done: names(done),
      left: names(steps.slice(done.length + 1).map((each) => each.step)),
    },
  };
}
