// The initial state of an execution.
import type { StartCommand } from "#schema/engine/input.ts";
import type { JsonObject } from "#schema/json.ts";
import { STATE_VERSION, type ExecutionState } from "#schema/engine/state.ts";

export type Born = Pick<
  StartCommand,
  | "execution"
  | "tenant"
  | "namespace"
  | "definition"
  | "placement"
  | "correlationId"
  | "parent"
  | "standalone"
  | "startedBy"
  | "subject"
>;

export function newState(born: Born, variables: JsonObject, now: number): ExecutionState {
  return {
    v: STATE_VERSION,
    id: born.execution,
    tenant: born.tenant,
    namespace: born.namespace,
    definition: born.definition,
    placement: born.placement,
    correlationId: born.correlationId,
    status: "active",
    position: { kind: "machine", value: "", history: {}, states: [], done: false },
    variables,
    seq: 0,
    createdAt: now,
    updatedAt: now,
    finishedAt: null,
    pausedAt: null,
    reason: null,
    error: null,
    runs: [],
    triggers: [],
    timers: [],
    buffer: [],
    lastAction: null,
    receipts: [],
    unprojectedSince: null,
    retainUntil: null,
    ...(born.subject ? { subject: { key: born.subject.key } } : {}),
    ...(born.parent ? { parent: born.parent } : {}),
    ...(born.standalone ? { standalone: born.standalone } : {}),
    ...(born.startedBy ? { startedBy: born.startedBy } : {}),
  };
}
