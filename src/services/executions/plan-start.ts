// Start planning: checks a request to start an execution, finds its definition, chooses its cell, and builds the item
// for that cell. A definition that this isolate has cached costs no read.
import type { StartedBy } from "#schema/inbound/started-by.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { accept, refuse, type Finding, type Refusal, type Result } from "#schema/refusal.ts";
import { openDefinitions, type FindDefinition } from "../definitions/find-definition.ts";
import { mayStart } from "../definitions/program-of.ts";
import type { Restart } from "#schema/family/restart.ts";
import type { Parent } from "#schema/engine/child.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { fingerprint } from "../caller/stored-responses.ts";
import { timeOrderedId } from "#schema/ids.ts";
import { keyedExecutionId, keyedOwnId, newExecutionId } from "../cells/placement.ts";
import { placeInPool, type PlacedExecution } from "../pools/place-in-pool.ts";
import type { PlannedStart } from "../subjects/admit-starts.ts";
import { subjectOf } from "#kernel/execution/subject/subject.ts";
import { checkDesired, checkVariables } from "../size-limits.ts";

export type StartRequest = {
  /** The definition's name, name@version or id. */
  readonly definition: string;
  readonly variables: JsonObject;
  readonly namespace: string;
  readonly correlationId: string | null;
  /**
   * The id that the client chose; null: the engine chooses one. Only an execution with its own cell can have a chosen
   * id.
   */
  readonly id: string | null;
  /**
   * The client's Idempotency-Key; null if there is none. It decides the id, so that the same cell gets every repeat and
   * stores the answer.
   */
  readonly key: string | null;
  /** A reconciler's desired state. */
  readonly desired?: JsonObject;
  /**
   * The execution that starts this one; and, in `notAfter`, the time at which the parent stops waiting for the start.
   */
  readonly parent?: Parent | null;
  readonly notAfter?: number;
  /** The trigger that starts the execution. */
  readonly startedBy?: StartedBy;
  /**
   * The earlier execution that this one continues. `asked` is the input as the client requested it, for the
   * fingerprint.
   */
  readonly restart?: Restart;
  readonly asked?: Json;
};

export type PlanDeps = Pick<Deps, "now" | "randomBytes" | "db" | "log" | "background">;

export async function planStart(
  deps: PlanDeps,
  caller: TenantCaller,
  request: StartRequest,
  find: FindDefinition = openDefinitions(deps, caller.tenant),
): Promise<Result<PlannedStart>> {
  const { tenant } = caller;
  const sized = checkVariables(request.variables);
  if (!sized.ok) return sized;
  const fits = request.desired ? checkDesired(request.desired, "/desired") : sized;
  if (!fits.ok) return fits;
  const found = await find(request.definition);
  if (!found.ok)
    return found.refusal.code === "not_found" ? refuse({ ...found.refusal, errors: unknown(found.refusal) }) : found;
  const { ref, body, placements, subject: rule } = found.value;
  const startable = mayStart(request.definition, found.value);
  if (!startable.ok) return startable;
  const placement = request.key === null ? placements.plain : placements.keyed;
  if (request.id !== null && placement === "pooled") return refuse(ownIdInPool());
  const placed = placement === "own" ? await ownPlace(deps, tenant, request) : await poolPlace(deps, tenant, request);
  if (!placed.ok) return placed;
  const { execution, pool } = placed.value;
  const subject = rule && subjectOf(rule, { ...request, id: execution }, request.variables);
  if (subject !== null && !subject.ok) return subject;
  const command = {
    kind: "start",
    inputId: request.key ?? timeOrderedId("inp", deps.now(), deps.randomBytes(10)),
    execution,
    tenant,
    namespace: request.namespace,
    definition: ref,
    placement,
    variables: request.variables,
    correlationId: request.correlationId,
    // Only a keyed request can be repeated with another body, so only a keyed start needs a fingerprint.
    fingerprint: request.key === null ? "" : await fingerprint(request.asked ?? bodyOf(request)),
    actor: caller.actor,
    ...(request.desired ? { desired: request.desired } : {}),
    ...(request.parent ? { parent: request.parent } : {}),
    ...(request.restart ? { restart: request.restart } : {}),
    ...(request.notAfter === undefined ? {} : { notAfter: request.notAfter }),
    ...(request.startedBy ? { startedBy: request.startedBy } : {}),
  } as const;
  return accept({
    command,
    definition: body,
    ...(pool ? { pool } : {}),
    ...(subject ? { subject: subject.value } : {}),
  });
}

async function ownPlace(deps: PlanDeps, tenant: string, { id, key }: StartRequest): Promise<Result<PlacedExecution>> {
  if (id !== null) return accept({ execution: id, pool: null });
  const chance = (): string => newExecutionId("own", null, deps.now(), deps.randomBytes(11));
  return accept({ execution: key === null ? chance() : await keyedOwnId(tenant, key), pool: null });
}

function poolPlace(deps: PlanDeps, tenant: string, { key }: StartRequest): Promise<Result<PlacedExecution>> {
  return placeInPool(deps, tenant, key === null ? null : (pool) => keyedExecutionId(pool, tenant, key));
}

function bodyOf({
  key: _key,
  parent: _parent,
  notAfter: _notAfter,
  startedBy: _startedBy,
  restart: _restart,
  asked: _asked,
  ...body
}: StartRequest): Json {
  return body;
}

/** The finding repeats the hint, for clients that only read the findings. */
function unknown({ hint }: Refusal): readonly Finding[] {
  const found = { pointer: "/definition", code: "not_found", message: "there is no such definition" };
  return [{ ...found, ...(hint === undefined ? {} : { hint }) }];
}

function ownIdInPool(): Refusal {
  return {
    code: "invalid_input",
    message: "Executions of a pooled definition cannot have an id chosen by the client.",
    hint: "Send an Idempotency-Key header instead: the same key always names the same execution.",
    errors: [{ pointer: "/id", code: "not_allowed", message: "is not allowed for a pooled definition" }],
  };
}
