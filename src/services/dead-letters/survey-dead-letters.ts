// What a filter over dead letters means, before anything is done with it: how many, and what they are.
import { countDeadLetters as count, surveyDeadLetters as survey } from "#catalog/dead-letters.ts";
import type { DeadLetterFilters, DeadLetterSurvey } from "#schema/dead-letter.ts";
import type { Deps } from "../deps.ts";

export async function surveyDeadLetters(
  deps: Pick<Deps, "db">,
  tenant: string,
  filters: DeadLetterFilters,
): Promise<DeadLetterSurvey> {
  return survey(deps.db, tenant, filters);
}

export async function countDeadLetters(
  deps: Pick<Deps, "db">,
  tenant: string,
  filters: DeadLetterFilters,
): Promise<number> {
  return count(deps.db, tenant, filters);
}
