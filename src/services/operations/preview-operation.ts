// What an operation over many dead letters would be about, and how long it would take.
import type { DeadLetterFilters, DeadLetterSurvey } from "#schema/dead-letter.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { surveyDeadLetters } from "../dead-letters/survey-dead-letters.ts";
import { meantBy } from "./operation-view.ts";

export type PreviewOperation = { readonly filter: DeadLetterFilters; readonly perSecond: number };
export type PreviewedOperation = DeadLetterSurvey & { readonly estimatedSeconds: number };

export async function previewOperation(
  deps: Deps,
  caller: TenantCaller,
  { filter, perSecond }: PreviewOperation,
): Promise<Result<PreviewedOperation>> {
  const survey = await surveyDeadLetters(deps, caller.tenant, meantBy({ filter, createdAt: deps.now() }));
  return accept({ ...survey, estimatedSeconds: Math.ceil(survey.matching / perSecond) });
}
