// What an operation over many dead letters would be about, and how long it would take.
import type { DeadLetterFilters, DeadLetterSurvey } from "#schema/dead-letter.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import type { OperationVerb } from "#schema/operation.ts";
import { countDeadLetters, surveyDeadLetters } from "../dead-letters/survey-dead-letters.ts";
import { meantBy } from "./operation-view.ts";
import { sampleRetries, type RetrySample } from "../dead-letters/sample-dead-letters.ts";

export type PreviewOperation = {
  readonly verb: OperationVerb;
  readonly filter: DeadLetterFilters;
  readonly perSecond: number;
};
export type PreviewedOperation = DeadLetterSurvey & {
  readonly estimatedSeconds: number;
  /** How many of those that the filter finds are left alone from the beginning, by reason. */
  readonly skipped: { readonly [reason: string]: number };
  /** What it would come to for some of them; null where nothing is to be sent. */
  readonly sample: RetrySample | null;
};

export async function previewOperation(
  deps: Deps,
  caller: TenantCaller,
  { verb, filter, perSecond }: PreviewOperation,
): Promise<Result<PreviewedOperation>> {
  const meant = meantBy({ filter, createdAt: deps.now() });
  const [survey, handled, sample] = await Promise.all([
    surveyDeadLetters(deps, caller.tenant, meant),
    filter.handled === undefined ? countDeadLetters(deps, caller.tenant, { ...meant, handled: true }) : 0,
    verb === "retry" ? sampleRetries(deps, caller, meant) : null,
  ]);
  const skipped = handled > 0 ? { handled } : {};
  return accept({ ...survey, skipped, sample, estimatedSeconds: Math.ceil(survey.matching / perSecond) });
}
