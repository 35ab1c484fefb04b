// Reports of published events: sends the result of an event to the trigger that published it. The directory object calls
// it over RPC.
import type { EventReport } from "#schema/directory/calls.ts";
import type { Deps } from "../deps.ts";
import { callWithRetry } from "../cells/call-cell.ts";

/** Throws if the trigger's object cannot be reached. The directory then repeats the report. */
export async function reportEvent(deps: Pick<Deps, "trigger">, tenant: string, report: EventReport): Promise<void> {
  const sent = await callWithRetry(() => deps.trigger(`${tenant}/${report.trigger}`).recordReport(report), "trigger");
  if (!sent.ok) throw new Error(sent.refusal.message);
}
