// Ends what the occurrences before have started, to make room for a newer one. Each command has an id that follows from
// the two, so that twice is once.
import { isUndecided } from "#schema/refusal.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { controlExecution } from "../executions/control-execution.ts";

/** Throws where one was not reached: they are all told again. */
export async function cancelLive(
  deps: Pick<Deps, "now" | "randomBytes" | "cell">,
  { tenant, id }: { readonly tenant: string; readonly id: string },
  executions: readonly string[],
): Promise<void> {
  const caller: TenantCaller = { actor: { kind: "engine", id }, tenant, scopes: [] };
  const verb = { kind: "cancel", reason: "a newer occurrence takes its place" } as const;
  await Promise.all(
    executions.map(async (execution) => {
      const key = `recurring/${id}/cancel`;
      const done = await controlExecution(deps, caller, { execution, verb, key, dryRun: false });
      if (!done.ok && isUndecided(done.refusal)) throw new Error(done.refusal.message);
    }),
  );
}
