// Control verbs: sends a verb to its execution, with the headers that all of them accept, and returns the result.
import type { FieldsAsked } from "#wire/executions/fields.ts";
import { narrowed, presentReply } from "#wire/history/present.ts";
import type { Reply } from "#schema/engine/cell.ts";
import type { Result } from "#schema/refusal.ts";
import { controlExecution, type ControlVerb } from "#services/executions/control-execution.ts";
import { answer } from "../http/answer.ts";
import { stateAsked } from "../http/conditions.ts";
import type { AppContext } from "../http/context.ts";
import { answerProblem } from "../http/problem.ts";

/** The input of every verb. */
export type Asked = {
  readonly execution: string;
  readonly key: string | null;
  readonly dryRun: boolean;
  readonly ifState: string | null;
};

/** A function if the verb needs more than being sent. */
type Verb = ControlVerb | ((asked: Asked) => Promise<Result<Reply>>);

export async function control(c: AppContext, execution: string, verb: Verb, shown?: FieldsAsked): Promise<Response> {
  const ifState = stateAsked(c);
  if (!ifState.ok) return answerProblem(c, ifState.refusal);
  // The query has been validated: it is one of the two words.
  const dryRun = c.req.query("dryRun") === "true";
  const asked = { execution, key: c.var.idempotencyKey, dryRun, ifState: ifState.value };
  const result = await (typeof verb === "function" ? verb(asked) : handOn(c, asked, verb));
  return answer(c, result, (done) => narrowed(presentReply(done, dryRun), shown));
}

function handOn(c: AppContext, { ifState, ...asked }: Asked, verb: ControlVerb): Promise<Result<Reply>> {
  return controlExecution(c.var.deps, c.var.caller, { ...asked, verb: { ...verb, ...where(ifState) } });
}

/** Present only if given, so that requests without the header keep the digest from before it existed. */
export function where(ifState: string | null): { readonly ifState?: string } {
  return ifState === null ? {} : { ifState };
}
