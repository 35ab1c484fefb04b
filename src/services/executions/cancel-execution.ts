// Cancels an execution, also one whose object cannot read it any more: what its row does not tell of it, the catalog may.
import { findExecution } from "#catalog/executions.ts";
import type { Reply } from "#schema/engine/cell.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import type { Identity } from "#schema/engine/quarantine.ts";
import type { Result } from "#schema/refusal.ts";
import { createdAround } from "../cells/created-around.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { controlExecution, type ControlExecution } from "./control-execution.ts";

export async function cancelExecution(
  deps: Deps,
  caller: TenantCaller,
  input: ControlExecution,
): Promise<Result<Reply>> {
  const answer = await controlExecution(deps, caller, input);
  if (answer.ok || answer.refusal.code !== "execution_unreadable") return answer;
  return controlExecution(deps, caller, { ...input, known: await knownOf(deps, caller.tenant, input.execution) });
}

/** A catalog that cannot be asked, or knows nothing, is no reason to let it lie for ever. */
async function knownOf(deps: Deps, tenant: string, execution: string): Promise<Identity | null> {
  try {
    const row = await findExecution(deps.db, tenant, execution, createdAround(execution));
    return row && identityOf(row);
  } catch (fault) {
    deps.log({ level: "warn", event: "identity_not_found", execution, message: String(fault) });
    return null;
  }
}

function identityOf(row: ExecutionRow): Identity {
  const { tenant, namespace, placement, correlationId, seq, createdAt } = row;
  const definition = { id: row.definitionId, name: row.definitionName, version: row.definitionVersion };
  return { tenant, namespace, definition, placement, correlationId, seq, createdAt };
}
