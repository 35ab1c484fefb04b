// About when an execution was created, as far as its id tells: ids that the engine chose hold the time, so the catalog
// need not be searched from end to end.
import { timeOf } from "#schema/ids.ts";
import { ID_TIME_SLACK_MS } from "#schema/limits/placement.ts";

export function createdAround(execution: string): { readonly from: number; readonly to: number } | null {
  const at = timeOf(execution);
  if (at === null) return null;
  return { from: at - ID_TIME_SLACK_MS, to: at + ID_TIME_SLACK_MS };
}
