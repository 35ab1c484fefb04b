// Schema checks of starts and events: refuses values that do not match the definition's schemas. A refusal changes
// nothing.
import type { DeclaredSchema } from "#schema/definition/declared.ts";
import type { Json } from "#schema/json.ts";
import { refuse, type RefusalCode, type Refusal } from "#schema/refusal.ts";
import { sentenceOf } from "../computing/fault.ts";
import { part, isSpent, type Work } from "../computing/work.ts";
import { misfits } from "./misfits.ts";

export type Fitting = {
  readonly schema: DeclaredSchema | undefined;
  readonly value: Json;
  readonly pointer: string;
  readonly code: Extract<RefusalCode, "payload_invalid" | "variables_invalid">;
  /** The beginning of the message, which names the value. */
  readonly what: string;
  readonly work: Work;
};

export function refuseMisfits(fitting: Fitting): { readonly ok: false; readonly refusal: Refusal } | null {
  return part(fitting.work, () => refusalOf(fitting));
}

function refusalOf(fitting: Fitting): { readonly ok: false; readonly refusal: Refusal } | null {
  const { schema, value, pointer, code, what, work } = fitting;
  if (schema === undefined) return null;
  try {
    const errors = misfits(schema, value, pointer, work);
    const [first] = errors;
    if (first === undefined) return null;
    const message = `${what}: ${first.pointer} ${first.message}`;
    const hint =
      first.hint === undefined
        ? "Nothing has changed. Send a value that matches the schema."
        : `${first.hint} Nothing has changed.`;
    return refuse({ code, message, hint, errors });
  } catch (thrown) {
    const message = `${what}: ${sentenceOf(thrown, "it cannot be checked")}`;
    return refuse({
      code: isSpent(work) ? "rule_too_costly" : code,
      message,
      hint: "Nothing has changed. Send a smaller value.",
    });
  }
}
