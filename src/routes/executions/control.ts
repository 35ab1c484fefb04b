// Control verbs: sends a verb to an execution, with the headers that all verbs accept, and returns the result.
import type { FieldsAsked } from "#wire/executions/fields.ts";
import { selectFields, presentReply } from "#wire/history/present.ts";
import type { Reply } from "#schema/engine/cell.ts";
import type { Result } from "#schema/refusal.ts";
import { controlExecution, type ControlVerb } from "#services/executions/control-execution.ts";
import { answer } from "../http/answer.ts";
import { readIfState } from "../http/conditions.ts";
import type { AppContext } from "../http/context.ts";
import { answerProblem } from "../http/problem.ts";

/** The input of every verb. `ifState` is the state that the execution must be in; null: any state. */
export type VerbRequest = {
  readonly execution: string;
  readonly key: string | null;
  readonly dryRun: boolean;
  readonly ifState: string | null;
};

/** The verb itself, or a function that sends the verb because it needs more than controlExecution. */
type Verb = ControlVerb | ((request: VerbRequest) => Promise<Result<Reply>>);

export async function control(c: AppContext, execution: string, verb: Verb, fields?: FieldsAsked): Promise<Response> {
  const ifState = readIfState(c);
  if (!ifState.ok) return answerProblem(c, ifState.refusal);
  // The query was validated: dryRun is "true", "false" or absent.
  const dryRun = c.req.query("dryRun") === "true";
  const request = { execution, key: c.var.idempotencyKey, dryRun, ifState: ifState.value };
  const result = await (typeof verb === "function" ? verb(request) : sendVerb(c, request, verb));
  return answer(c, result, (reply) => selectFields(presentReply(reply, dryRun), fields));
}

function sendVerb(c: AppContext, { ifState, ...request }: VerbRequest, verb: ControlVerb): Promise<Result<Reply>> {
  return controlExecution(c.var.deps, c.var.caller, { ...request, verb: { ...verb, ...ifStateField(ifState) } });
}

/**
 * Returns an object without the field if the header is absent. The digest of a request without the header is then the
 * same as before the header existed.
 */
export function ifStateField(ifState: string | null): { readonly ifState?: string } {
  return ifState === null ? {} : { ifState };
}
