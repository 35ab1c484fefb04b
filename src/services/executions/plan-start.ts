// Start planning: checks a request to start an execution, finds its definition, chooses its cell, and builds the item
// for that cell. If this isolate has cached the definition, nothing is read.
import { subjectOf, type PlannedSubject } from "#kernel/execution/subject/subject.ts";
import type { Placement } from "#schema/definition/head.ts";
import type { StartItem } from "#schema/engine/cell.ts";
import type { Parent } from "#schema/engine/child.ts";
import type { Restart } from "#schema/family/restart.ts";
import { timeOrderedId } from "#schema/ids.ts";
import type { StartedBy } from "#schema/inbound/started-by.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { accept, refuse, type Finding, type Refusal, type Result } from "#schema/refusal.ts";
import { fingerprint } from "../caller/fingerprint.ts";
import {
  keyedExecutionId,
  keyedOwnId,
  newExecutionId,
  placeInPool,
  type PlacedExecution,
} from "../cells/ids-and-cells.ts";
import {
  checkStartable,
  openDefinitions,
  type FindDefinition,
  type FoundDefinition,
} from "../definitions/find-definition.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { checkDesired, checkVariables } from "../size-limits.ts";

export type StartRequest = {
  /** The definition's name, name@version or id. */
  readonly definition: string;
  readonly variables: JsonObject;
  readonly namespace: string;
  readonly correlationId: string | null;
  /**
   * The id that the client chose; null: the engine chooses one. A client can choose an id only if the definition places
   * executions in cells of their own.
   */
  readonly id: string | null;
  /**
   * The client's Idempotency-Key; null if the client sent none. The key determines the execution's id, so every repeat
   * reaches the same cell, which has stored the answer.
   */
  readonly key: string | null;
  /** A reconciler's desired state. */
  readonly desired?: JsonObject;
  /** The execution that starts this one. `notAfter`: the time after which the parent no longer waits for the start. */
  readonly parent?: Parent | null;
  readonly notAfter?: number;
  /** The trigger that starts the execution. */
  readonly startedBy?: StartedBy;
  /**
   * The earlier execution that this one continues. `requested` is the input as the client sent it, from which the
   * fingerprint is computed.
   */
  readonly restart?: Restart;
  readonly requested?: Json;
};

/** A checked start for one cell. `subject` is the subject of the execution; absent if the definition declares none. */
export type PlannedStart = StartItem & { readonly subject?: PlannedSubject };

/** A checked start with its definition and its id. The id determines the cell. */
export type PlacedStart = PlacedExecution & {
  readonly definition: FoundDefinition;
  readonly placement: Placement;
  readonly subject: PlannedSubject | null;
};

export type PlanDeps = Pick<Deps, "now" | "randomBytes" | "db" | "log" | "background">;

export async function planStart(
  deps: PlanDeps,
  caller: TenantCaller,
  request: StartRequest,
  find: FindDefinition = openDefinitions(deps, caller.tenant),
): Promise<Result<PlannedStart>> {
  const placed = await placeStart(deps, caller.tenant, request, find);
  if (!placed.ok) return placed;
  const { execution, pool, definition, placement, subject } = placed.value;
  const command = {
    kind: "start",
    inputId: request.key ?? timeOrderedId("inp", deps.now(), deps.randomBytes(10)),
    execution,
    tenant: caller.tenant,
    namespace: request.namespace,
    definition: definition.ref,
    placement,
    variables: request.variables,
    correlationId: request.correlationId,
    // Only a request with an Idempotency-Key can be repeated with another body, so only such a start needs a
    // fingerprint.
    fingerprint: request.key === null ? "" : await fingerprint(request.requested ?? fingerprintedPart(request)),
    actor: caller.actor,
    ...(request.desired ? { desired: request.desired } : {}),
    ...(request.parent ? { parent: request.parent } : {}),
    ...(request.restart ? { restart: request.restart } : {}),
    ...(request.notAfter === undefined ? {} : { notAfter: request.notAfter }),
    ...(request.startedBy ? { startedBy: request.startedBy } : {}),
  } as const;
  return accept({ command, definition: definition.body, ...(pool ? { pool } : {}), ...(subject ? { subject } : {}) });
}

/**
 * Checks a request, finds its definition and its subject, and chooses its id. Triggers call this function directly,
 * because they store the id and start the execution later.
 */
export async function placeStart(
  deps: PlanDeps,
  tenant: string,
  request: StartRequest,
  find: FindDefinition = openDefinitions(deps, tenant),
): Promise<Result<PlacedStart>> {
  const sized = checkVariables(request.variables);
  if (!sized.ok) return sized;
  const desired = request.desired ? checkDesired(request.desired, "/desired") : sized;
  if (!desired.ok) return desired;
  const found = await find(request.definition);
  if (!found.ok) return found.refusal.code === "not_found" ? refuse(noDefinition(found.refusal)) : found;
  const definition = found.value;
  const startable = checkStartable(request.definition, definition);
  if (!startable.ok) return startable;
  const placement = request.key === null ? definition.placements.plain : definition.placements.keyed;
  if (request.id !== null && placement === "pooled") return refuse(ownIdInPool);
  const placed =
    placement === "own" ? await placeInOwnObject(deps, tenant, request) : await placeByKey(deps, tenant, request);
  if (!placed.ok) return placed;
  const { execution } = placed.value;
  const subject = definition.subject && subjectOf(definition.subject, { ...request, id: execution }, request.variables);
  if (subject !== null && !subject.ok) return subject;
  return accept({ ...placed.value, definition, placement, subject: subject?.value ?? null });
}

async function placeInOwnObject(
  deps: PlanDeps,
  tenant: string,
  { id, key }: StartRequest,
): Promise<Result<PlacedExecution>> {
  if (id !== null) return accept({ execution: id, pool: null });
  if (key !== null) return accept({ execution: await keyedOwnId(tenant, key), pool: null });
  return accept({ execution: newExecutionId("own", null, deps.now(), deps.randomBytes(11)), pool: null });
}

function placeByKey(deps: PlanDeps, tenant: string, { key }: StartRequest): Promise<Result<PlacedExecution>> {
  return placeInPool(deps, tenant, key === null ? null : (pool) => keyedExecutionId(pool, tenant, key));
}

/** Returns the part of the request that must be the same in a repeat with the same key. */
function fingerprintedPart({
  key: _key,
  parent: _parent,
  notAfter: _notAfter,
  startedBy: _startedBy,
  restart: _restart,
  requested: _asked,
  ...body
}: StartRequest): Json {
  return body;
}

/** Returns the refusal with a finding that repeats its hint. Some clients read only the findings. */
function noDefinition(refusal: Refusal): Refusal {
  const { hint } = refusal;
  const finding: Finding = {
    pointer: "/definition",
    code: "not_found",
    message: "there is no such definition",
    ...(hint === undefined ? {} : { hint }),
  };
  return { ...refusal, errors: [finding] };
}

const ownIdInPool: Refusal = {
  code: "invalid_input",
  message: "Executions of a pooled definition cannot have an id chosen by the client.",
  hint: "Send an Idempotency-Key header instead: the same key always names the same execution.",
  errors: [{ pointer: "/id", code: "not_allowed", message: "is not allowed for a pooled definition" }],
};
