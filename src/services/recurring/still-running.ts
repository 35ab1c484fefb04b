// Which of these executions still run, for what must not overlap. Waiting for its next try, held and paused is running;
// one that only waits for a person to look at a failure is not.
import { isFinalRun, waitsForPerson } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { readState } from "../cells/read-state.ts";
import type { Deps } from "../deps.ts";

/** Throws where one cannot be asked: whether it runs is then not known. */
export async function stillRunning(
  deps: Pick<Deps, "cell">,
  tenant: string,
  executions: readonly string[],
): Promise<readonly string[]> {
  const known = await Promise.all(
    executions.map(async (execution) => {
      const read = await readState(deps, { tenant }, { execution });
      if (read.ok) return isRunning(read.value) ? [execution] : [];
      if (read.refusal.code === "not_found") return [];
      throw new Error(read.refusal.message);
    }),
  );
  return known.flat();
}

function isRunning({ status, runs }: ExecutionState): boolean {
  if (isFinalStatus(status)) return false;
  const isAtWork = runs.some((run) => !isFinalRun(run.status));
  return status === "paused" || isAtWork || !runs.some((run) => waitsForPerson(run));
}
