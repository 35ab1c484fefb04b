// Control verbs on one execution: builds the command and sends it to the execution's cell. Routes, operations and the
// engine itself call this.
import { findExecution } from "#catalog/executions.ts";
import type { ControlCommand, Reply } from "#schema/engine/cell.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import type { Identity } from "#schema/engine/quarantine.ts";
import { timeOrderedId } from "#schema/ids.ts";
import type { Json } from "#schema/json.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { fingerprint } from "../caller/fingerprint.ts";
import { createdAround, cellName } from "../cells/ids-and-cells.ts";
import { callWithRetry, singleAnswer } from "../cells/call-cell.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { checkPayload, checkResult, checkVariables } from "../size-limits.ts";

/**
 * A command without the fields that controlExecution adds, such as the actor and the id by which the cell detects
 * repeats.
 */
type UnsentCommand<C> = C extends ControlCommand ? Omit<C, "inputId" | "fingerprint" | "actor" | "unkeyed"> : never;
export type ControlVerb = UnsentCommand<ControlCommand>;

export type ControlExecution = {
  readonly execution: string;
  readonly verb: ControlVerb;
  readonly key: string | null;
  /** True: the engine generated the key, so no client can repeat the request. */
  readonly unkeyed?: true;
  readonly dryRun: boolean;
  /**
   * The incarnation (createdAt) of the execution that the verb is for. Absent: the current incarnation, whichever it
   * is.
   */
  readonly incarnation?: number | undefined;
  /**
   * Only for a cancellation: the execution's identity from the catalog. It is needed if the object cannot read its own
   * state. Null if the catalog has none.
   */
  readonly identity?: Identity | null | undefined;
  /**
   * The client's input. It is set if `verb` has fields that the client did not send. The fingerprint is computed from
   * it, so that a repeated request gets the same fingerprint.
   */
  readonly requested?: Json;
};

export type ControlDeps = Pick<Deps, "now" | "randomBytes" | "cell">;

export async function controlExecution(
  deps: ControlDeps,
  caller: TenantCaller,
  input: ControlExecution,
): Promise<Result<Reply>> {
  const { execution, verb, dryRun, incarnation, identity, requested = verb } = input;
  const size = checkSizes(verb);
  if (!size.ok) return size;
  const inputId = input.key ?? timeOrderedId("inp", deps.now(), deps.randomBytes(10));
  const unkeyed = input.key === null || input.unkeyed ? ({ unkeyed: true } as const) : {};
  const command: ControlCommand = {
    ...verb,
    ...unkeyed,
    inputId,
    fingerprint: await fingerprint(requested),
    actor: caller.actor,
  };
  const scope = {
    ...(incarnation === undefined ? {} : { incarnation }),
    ...(identity === undefined ? {} : { known: identity }),
  };
  const items = [{ execution, command, dryRun, ...scope }];
  return singleAnswer(await callWithRetry(() => deps.cell(cellName(caller.tenant, execution)).control(items)));
}

/** Checks the sizes of the fields of the verb itself. The caller has already checked an event's payload. */
function checkSizes(verb: ControlVerb): Result<null> {
  if (verb.kind === "patch") return checkVariables(verb.variables);
  if (verb.kind === "skip" || verb.kind === "cancelAction") return checkResult(verb.result ?? null);
  return verb.kind === "complete" ? checkPayload(verb.payload ?? null) : accept(null);
}

export async function cancelExecution(
  deps: Deps,
  caller: TenantCaller,
  input: ControlExecution,
): Promise<Result<Reply>> {
  const answer = await controlExecution(deps, caller, input);
  if (answer.ok || answer.refusal.code !== "execution_unreadable") return answer;
  return controlExecution(deps, caller, {
    ...input,
    identity: await findIdentity(deps, caller.tenant, input.execution),
  });
}

/**
 * Returns the execution's identity from the catalog. Returns null if the catalog does not answer, because an outage
 * must not prevent a cancellation.
 */
async function findIdentity(deps: Deps, tenant: string, execution: string): Promise<Identity | null> {
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

export type SendEvent = {
  readonly execution: string;
  readonly id: string | null;
  readonly type: string;
  readonly payload: Json;
  readonly source: string | null;
  readonly correlationId: string | null;
  readonly key: string | null;
  readonly dryRun: boolean;
  /**
   * The incarnation (createdAt) of the execution that the event is for. Absent: the current incarnation, whichever it
   * is.
   */
  readonly incarnation?: number;
  /** Accept the event only while the execution is in this state. Null or absent: in any state. */
  readonly ifState?: string | null;
};

export async function sendEvent(deps: ControlDeps, caller: TenantCaller, input: SendEvent): Promise<Result<Reply>> {
  const size = checkPayload(input.payload);
  if (!size.ok) return size;
  const ownId = input.id ?? input.key;
  const id = ownId ?? timeOrderedId("evt", deps.now(), deps.randomBytes(10));
  const unkeyed = ownId === null ? ({ unkeyed: true } as const) : {};
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
