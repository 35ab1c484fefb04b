// Sends an event to an execution. The event's id is the input's id: the same event twice is one event.
import type { Reply } from "#schema/engine/cell.ts";
import type { Json } from "#schema/json.ts";
import type { Result } from "#schema/refusal.ts";
import { controlExecution, type ControlDeps } from "./control-execution.ts";
import type { TenantCaller } from "../deps.ts";
import { timeOrderedId } from "#schema/ids.ts";
import { checkPayload } from "../size-limits.ts";

export type SendEvent = {
  readonly execution: string;
  readonly id: string | null;
  readonly type: string;
  readonly payload: Json;
  readonly source: string | null;
  readonly correlationId: string | null;
  readonly key: string | null;
  readonly dryRun: boolean;
  /** For the execution that there was then, and none that has its id since. */
  readonly incarnation?: number;
  /** Only as long as it stands there; null: wherever it stands. */
  readonly ifState?: string | null;
};

export async function sendEvent(deps: ControlDeps, caller: TenantCaller, input: SendEvent): Promise<Result<Reply>> {
  const sized = checkPayload(input.payload);
  if (!sized.ok) return sized;
  const named = input.id ?? input.key;
  const id = named ?? timeOrderedId("evt", deps.now(), deps.randomBytes(10));
  const unkeyed = named === null ? ({ unkeyed: true } as const) : {};
  const { execution, type, payload, correlationId, dryRun, incarnation, ifState = null } = input;
  const event = { id, type, payload, source: input.source ?? "api", correlationId };
  return controlExecution(deps, caller, {
    execution,
    verb: { kind: "event", event, ...(ifState === null ? {} : { ifState }) },
    key: id,
    dryRun,
    incarnation,
    ...unkeyed,
  });
}
