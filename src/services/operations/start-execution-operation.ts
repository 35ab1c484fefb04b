// Execution operation starts: begins an operation over many executions. The request has the verb, the filter, the pace,
// and the condition that stops the operation automatically.
import type { Json, JsonObject } from "#schema/json.ts";
import type { OperationRequest } from "#schema/operation.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import type { ExecutionFilter, ExecutionCommand, StopCondition } from "#schema/engine/execution-command.ts";
import { COMMANDED_EXECUTIONS_MAX, COMMAND_BYTES_MAX } from "#schema/limits/upkeep/bulk-operations.ts";
import { timeOrderedId } from "#schema/ids.ts";
import { keyedOperationId } from "../cells/ids-and-cells.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { countMatching } from "../executions/matching-executions.ts";
import { executionsOf } from "./operations.ts";
import { beginOperation, digestOf, type StartedOperation } from "./start-operation.ts";

export type StartExecutionOperation = {
  readonly steer: ExecutionCommand;
  readonly filter: ExecutionFilter;
  readonly perSecond: number;
  readonly stopAt: StopCondition | null;
  /** Apply the verb to an execution only while it is in this state; null: in any state. */
  readonly ifState: string | null;
  readonly reason: string | null;
};

export async function startExecutionOperation(
  deps: Deps,
  { tenant, actor }: TenantCaller,
  {
    steer,
    perSecond,
    stopAt,
    ifState,
    reason,
    key,
    ...request
  }: StartExecutionOperation & { readonly key: string | null },
): Promise<Result<StartedOperation>> {
  const size = checkCommand(deps, steer);
  if (!size.ok) return size;
  const createdAt = deps.now();
  // The fingerprint is computed from JSON, so undefined fields are removed first.
  const filter = Object.fromEntries(
    Object.entries(request.filter).filter(([, value]) => value !== undefined),
  ) as JsonObject & ExecutionFilter; // The filter removed the undefined fields, so the object is JSON.
  const matches = await countMatching(deps, tenant, executionsOf({ filter, createdAt }), steer);
  const matched = matches.reduce((sum, { count }) => sum + count, 0);
  if (matched > COMMANDED_EXECUTIONS_MAX) return refuse(tooMany(matched));
  const command = { steer, ...(stopAt === null ? {} : { stopAt }), ...(ifState === null ? {} : { ifState }) };
  const newOperation: OperationRequest = {
    id: key === null ? timeOrderedId("op", createdAt, deps.randomBytes(10)) : await keyedOperationId(tenant, key),
    tenant,
    verb: "steer",
    filter,
    perSecond,
    reason,
    actor,
    createdAt,
    matched,
    ...command,
    fingerprint: await digestOf({ verb: "steer", filter, perSecond, reason, asked: command }),
  };
  return beginOperation(deps, newOperation, key);
}

export function checkCommand({ now }: Pick<Deps, "now">, steer: ExecutionCommand): Result<null> {
  if (steer.verb === "reschedule" && steer.at <= now()) return refuse(notInFuture);
  const { verb: _verb, ...command } = steer;
  const bytes = new TextEncoder().encode(JSON.stringify(command satisfies Json)).byteLength;
  if (bytes <= COMMAND_BYTES_MAX) return accept(null);
  const message = `The command for each execution has ${bytes} bytes; the limit is ${COMMAND_BYTES_MAX} (COMMAND_BYTES_MAX).`;
  return refuse({
    code: "limit_exceeded",
    message,
    hint: "The command is sent to each execution and shown in the list of operations. Send a reference to large data instead of the data.",
    details: { field: "operation", size: bytes, limit: COMMAND_BYTES_MAX },
  });
}

const notInFuture: Refusal = {
  code: "invalid_input",
  message: "The instant must be in the future.",
  errors: [{ pointer: "/at", code: "out_of_range", message: "must be in the future" }],
};

function tooMany(matched: number): Refusal {
  return {
    code: "limit_exceeded",
    message: `The filter matches ${matched} executions; the limit of one operation is ${COMMANDED_EXECUTIONS_MAX} (COMMANDED_EXECUTIONS_MAX).`,
    hint: "Narrow the filter, for example by createdAfter and createdBefore, and start several operations.",
    details: { field: "filter", size: matched, limit: COMMANDED_EXECUTIONS_MAX },
  };
}
