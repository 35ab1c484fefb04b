// Begins an operation over many executions: what it does to each, which are meant, how fast, and when it stops by itself.
import type { Json, JsonObject } from "#schema/json.ts";
import type { OperationTerms } from "#schema/operation.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import type { MeantExecutions, Steer, StopAt } from "#schema/engine/steering.ts";
import { STEER_BYTES_MAX, STEERED_MAX } from "#schema/limits/upkeep.ts";
import { timeOrderedId } from "#schema/ids.ts";
import { keyedOperationId } from "../cells/placement.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { countMeant } from "../executions/meant-executions.ts";
import { steeredBy } from "./operations.ts";
import { beginOperation, digestOf, type StartedOperation } from "./start-operation.ts";

export type SteerMany = {
  readonly steer: Steer;
  readonly filter: MeantExecutions;
  readonly perSecond: number;
  readonly stopAt: StopAt | null;
  /** Each of them only as long as it stands there. */
  readonly ifState: string | null;
  readonly reason: string | null;
};

export async function startSteering(
  deps: Deps,
  { tenant, actor }: TenantCaller,
  { steer, perSecond, stopAt, ifState, reason, key, ...asked }: SteerMany & { readonly key: string | null },
): Promise<Result<StartedOperation>> {
  const sized = checkSteer(deps, steer);
  if (!sized.ok) return sized;
  const createdAt = deps.now();
  // Without the fields that ask for nothing: what is digested is JSON.
  const filter = Object.fromEntries(
    Object.entries(asked.filter).filter(([, value]) => value !== undefined),
  ) as JsonObject & MeantExecutions; // the same fields
  const counts = await countMeant(deps, tenant, steeredBy({ filter, createdAt }), steer);
  const matched = counts.reduce((sum, { count }) => sum + count, 0);
  if (matched > STEERED_MAX) return refuse(tooMany(matched));
  const given = { steer, ...(stopAt === null ? {} : { stopAt }), ...(ifState === null ? {} : { ifState }) };
  const terms: OperationTerms = {
    id: key === null ? timeOrderedId("op", createdAt, deps.randomBytes(10)) : await keyedOperationId(tenant, key),
    tenant,
    verb: "steer",
    filter,
    perSecond,
    reason,
    actor,
    createdAt,
    matched,
    ...given,
    fingerprint: await digestOf({ verb: "steer", filter, perSecond, reason, asked: given }),
  };
  return beginOperation(deps, terms, key);
}

export function checkSteer({ now }: Pick<Deps, "now">, steer: Steer): Result<null> {
  if (steer.verb === "reschedule" && steer.at <= now()) return refuse(past);
  const { verb: _verb, ...given } = steer;
  const bytes = new TextEncoder().encode(JSON.stringify(given satisfies Json)).byteLength;
  if (bytes <= STEER_BYTES_MAX) return accept(null);
  const message = `What each of them is given takes ${bytes} bytes; the limit is ${STEER_BYTES_MAX} (STEER_BYTES_MAX).`;
  return refuse({
    code: "limit_exceeded",
    message,
    hint: "It travels to each of them, and stands in the list of operations: send what says where to find the rest.",
    details: { field: "operation", size: bytes, limit: STEER_BYTES_MAX },
  });
}

const past: Refusal = {
  code: "invalid_input",
  message: "The instant is not ahead.",
  errors: [{ pointer: "/at", code: "out_of_range", message: "must be ahead of now" }],
};

function tooMany(matched: number): Refusal {
  return {
    code: "limit_exceeded",
    message: `The filter means ${matched} executions; one operation is about ${STEERED_MAX} at the most (STEERED_MAX).`,
    hint: "Narrow it, by createdAfter and createdBefore for example, and begin several.",
    details: { field: "filter", size: matched, limit: STEERED_MAX },
  };
}
