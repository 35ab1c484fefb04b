// Control verbs on one execution: send the command to its cell.
import { findExecution } from "#catalog/executions.ts";
import type { ControlCommand, Reply } from "#schema/engine/cell.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import type { Identity } from "#schema/engine/quarantine.ts";
import { timeOrderedId } from "#schema/ids.ts";
import type { Json } from "#schema/json.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { fingerprint } from "../caller/stored-responses.ts";
import { createdAround, cellName } from "../cells/placement.ts";
import { callWithRetry, singleAnswer } from "../cells/call-cell.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { checkPayload, checkResult, checkVariables } from "../size-limits.ts";

/** A command without the fields that the service adds: the actor, and the id that makes a repeat harmless. */
type Bare<C> = C extends ControlCommand ? Omit<C, "inputId" | "fingerprint" | "actor" | "unkeyed"> : never;
export type ControlVerb = Bare<ControlCommand>;

export type ControlExecution = {
  readonly execution: string;
  readonly verb: ControlVerb;
  readonly key: string | null;
  /** The key is the engine's own: no client repeats it. */
  readonly unkeyed?: true;
  readonly dryRun: boolean;
  /** For this incarnation of the execution only. */
  readonly incarnation?: number | undefined;
  /** With a cancellation: the identity, if its object cannot read it. */
  readonly known?: Identity | null | undefined;
  /** The requested input, if the verb contains more than that: a repeated request must have the same digest. */
  readonly asked?: Json;
};

export type ControlDeps = Pick<Deps, "now" | "randomBytes" | "cell">;

export async function controlExecution(
  deps: ControlDeps,
  caller: TenantCaller,
  input: ControlExecution,
): Promise<Result<Reply>> {
  const { execution, verb, dryRun, incarnation, known, asked = verb } = input;
  const sized = checkSizes(verb);
  if (!sized.ok) return sized;
  const inputId = input.key ?? timeOrderedId("inp", deps.now(), deps.randomBytes(10));
  const unkeyed = input.key === null || input.unkeyed ? ({ unkeyed: true } as const) : {};
  const command: ControlCommand = {
    ...verb,
    ...unkeyed,
    inputId,
    fingerprint: await fingerprint(asked),
    actor: caller.actor,
  };
  const more = { ...(incarnation === undefined ? {} : { incarnation }), ...(known === undefined ? {} : { known }) };
  const items = [{ execution, command, dryRun, ...more }];
  return singleAnswer(await callWithRetry(() => deps.cell(cellName(caller.tenant, execution)).control(items)));
}

/** Only for fields that the verb itself contains; an event's payload was checked on arrival. */
function checkSizes(verb: ControlVerb): Result<null> {
  if (verb.kind === "patch") return checkVariables(verb.variables);
  if (verb.kind === "skip") return checkResult(verb.result ?? null);
  return verb.kind === "complete" ? checkPayload(verb.payload ?? null) : accept(null);
}

export async function cancelExecution(
  deps: Deps,
  caller: TenantCaller,
  input: ControlExecution,
): Promise<Result<Reply>> {
  const answer = await controlExecution(deps, caller, input);
  if (answer.ok || answer.refusal.code !== "execution_unreadable") return answer;
  return controlExecution(deps, caller, { ...input, known: await knownOf(deps, caller.tenant, input.execution) });
}

/** A catalog without an answer does not block the cancellation. */
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

export type SendEvent = {
  readonly execution: string;
  readonly id: string | null;
  readonly type: string;
  readonly payload: Json;
  readonly source: string | null;
  readonly correlationId: string | null;
  readonly key: string | null;
  readonly dryRun: boolean;
  /** For this incarnation of the execution only. */
  readonly incarnation?: number;
  /** Only while it is in this state; null: in any state. */
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
