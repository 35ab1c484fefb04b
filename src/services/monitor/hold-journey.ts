// Journey pauses: pauses or resumes a journey, and returns the number of affected nodes.
import { nodesOf } from "#policy/advice/nodes.ts";
import { heldByPause, nodesInProgress, snapshotStatus, type SnapshotStatus } from "#policy/advice/progress-snapshot.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { controlExecution } from "../executions/control-execution.ts";

export type HoldJourney = {
  readonly execution: string;
  readonly verb: "pause" | "resume";
  readonly reason: string | null;
  readonly key: string | null;
  readonly dryRun: boolean;
};
export type HoldJourneyResult = { readonly status: SnapshotStatus; readonly affectedNodes: number };

export async function holdJourney(
  deps: Deps,
  caller: TenantCaller,
  { verb: kind, reason, ...input }: HoldJourney,
): Promise<Result<HoldJourneyResult>> {
  const done = await controlExecution(deps, caller, { ...input, verb: { kind, reason } });
  if (!done.ok) return done;
  const { state } = done.value;
  const nodes = nodesOf(state, null, []);
  const affectedNodes = kind === "pause" ? heldByPause(state, nodes) : nodesInProgress(state, nodes.open).length;
  return accept({ status: snapshotStatus(state.status), affectedNodes });
}
