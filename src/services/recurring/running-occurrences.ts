// Running occurrences: checks whether earlier occurrences still run, and cancels them.
import { isFinalRun, waitsForPerson } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { isUndecided } from "#schema/refusal.ts";
import { readState } from "../cells/read-state.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { controlExecution } from "../executions/control-execution.ts";

/**
 * Returns those of the executions that still run. Throws if an execution cannot be reached, because it is then unknown
 * whether it runs.
 */
export async function findRunning(
  deps: Pick<Deps, "cell">,
  tenant: string,
  executions: readonly string[],
): Promise<readonly string[]> {
  const running = await Promise.all(
    executions.map(async (execution) => {
      const read = await readState(deps, { tenant }, { execution });
      if (read.ok) return isRunning(read.value) ? [execution] : [];
      if (read.refusal.code === "not_found") return [];
      throw new Error(read.refusal.message);
    }),
  );
  return running.flat();
}

/** A canceled execution is still running until its attempt in flight has ended. */
function isRunning({ status, runs }: ExecutionState): boolean {
  if (isFinalStatus(status)) return runs.some((run) => run.status === "running");
  const isAtWork = runs.some((run) => !isFinalRun(run.status));
  return status === "paused" || isAtWork || !runs.some((run) => waitsForPerson(run));
}

/**
 * Cancels the executions. Throws if one of them was not reached; the caller then repeats all cancellations, which is
 * harmless.
 */
export async function cancelOccurrences(
  deps: Pick<Deps, "now" | "randomBytes" | "cell">,
  { tenant, id }: { readonly tenant: string; readonly id: string },
  executions: readonly string[],
): Promise<void> {
  const caller: TenantCaller = { actor: { kind: "engine", id }, tenant, scopes: [] };
  const verb = { kind: "cancel", reason: "a newer occurrence replaces this occurrence" } as const;
  await Promise.all(
    executions.map(async (execution) => {
      const key = `recurring/${id}/cancel`;
      const canceled = await controlExecution(deps, caller, { execution, verb, key, dryRun: false });
      if (!canceled.ok && isUndecided(canceled.refusal)) throw new Error(canceled.refusal.message);
    }),
  );
}
