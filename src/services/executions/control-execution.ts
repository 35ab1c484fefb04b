// Steers one execution: events, patches and the control verbs all go to its object as one input with an id.
import type { ControlCommand, Reply } from "#schema/engine/cell.ts";
import type { Identity } from "#schema/engine/quarantine.ts";
import type { Json } from "#schema/json.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { fingerprint } from "../caller/fingerprint.ts";
import { singleAnswer } from "../cells/single-answer.ts";
import { timeOrderedId } from "#schema/ids.ts";
import { cellName } from "../cells/placement.ts";
import { reach } from "../cells/reach.ts";
import { checkPayload, checkResult, checkVariables } from "../size-limits.ts";

/** A command without what the service itself adds: who asked, and the id that makes a repeat harmless. */
type Bare<C> = C extends ControlCommand ? Omit<C, "inputId" | "fingerprint" | "actor" | "unkeyed"> : never;
export type ControlVerb = Bare<ControlCommand>;

export type ControlExecution = {
  readonly execution: string;
  readonly verb: ControlVerb;
  readonly key: string | null;
  /** The key was made by us: nobody comes back with it. */
  readonly unkeyed?: true;
  readonly dryRun: boolean;
  /** For the execution that there was then, and none that has its id since. */
  readonly incarnation?: number | undefined;
  /** With a cancellation: who that is, should its object not be able to tell. */
  readonly known?: Identity | null | undefined;
  /** What was asked for, where the verb holds more than that: the same request again must be known as the same. */
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
  return singleAnswer(await reach(() => deps.cell(cellName(caller.tenant, execution)).control(items)));
}

/** Of what only the verb itself brings along; an event's payload has been looked at when it came. */
function checkSizes(verb: ControlVerb): Result<null> {
  if (verb.kind === "patch") return checkVariables(verb.variables);
  if (verb.kind === "skip") return checkResult(verb.result ?? null);
  return verb.kind === "complete" ? checkPayload(verb.payload ?? null) : accept(null);
}
