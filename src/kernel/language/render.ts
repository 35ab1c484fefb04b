// Phase one of rendering: a configuration's templates filled from one scope, then frozen. Every string is a Liquid
// template; keys are not. Secrets are left as slots (schema/secret-slots.ts says how), for the consumer to fill.
import type { Json, JsonObject } from "#schema/json.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Finding } from "#schema/refusal.ts";
import { holdsNoSlots, type SecretSlot } from "#schema/secret-slots.ts";
import { isPlainObject } from "./equality.ts";
import { failureOf, fault, type FaultCode } from "../computing/fault.ts";
import { evaluateValue, liquidFailure, openBudget, openContext, renderTemplate, type RenderBudget } from "./liquid.ts";
import { part, rethrowPause, openWork, type Work } from "../computing/work.ts";
import { childPointer } from "./pointer.ts";
import { sizeOf } from "./size.ts";
import { compile, type Compiled, type Part } from "./template.ts";

export type Rendered =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly code: FaultCode; readonly error: ActionError };

type Rendering = { readonly scope: JsonObject; readonly budget: RenderBudget };

/** `work`: what the step it belongs to may still cost; by itself it has all of that. */
export function render(config: Json, scope: JsonObject, work: Work = openWork()): Rendered {
  return part(work, () => tried(config, scope, work));
}

function tried(config: Json, scope: JsonObject, work: Work): Rendered {
  try {
    // A part of its own, as everything here that is used up: it outlives a pause.
    const budget = part(work, () => openBudget(undefined, work));
    return { ok: true, value: renderAt(config, "", { scope, budget }) };
  } catch (thrown) {
    rethrowPause(work);
    const { code, message } = failureOf(thrown, TOO_DEEP);
    return { ok: false, code, error: { type: "invalid_configuration", message, retryable: false } };
  }
}

const TOO_DEEP = { code: "too_deep", message: "the configuration is nested too deep to be rendered" } as const;

function renderAt(value: Json, pointer: string, rendering: Rendering): Json {
  if (typeof value === "string") return part(rendering.budget.work, () => renderText(value, pointer, rendering));
  return mapChildren(value, (item, key) => renderAt(item, childPointer(pointer, key), rendering));
}

function renderText(text: string, pointer: string, rendering: Rendering): Json {
  try {
    return renderCompiled(text, rendering);
  } catch (thrown) {
    rethrowPause(rendering.budget.work);
    const { code, message } = liquidFailure(thrown);
    throw fault(code, `config${pointer}: ${message}`);
  }
}

function renderCompiled(text: string, { scope, budget }: Rendering): Json {
  const compiled = compile(text);
  switch (compiled.kind) {
    case "text":
      return paidFor(text, budget);
    case "path":
      return escapeSlots(valueAt(compiled, { scope, budget }));
    case "parts":
      return paidFor(joinParts(compiled.parts, { scope, budget }), budget);
    case "broken":
      throw fault(compiled.code, compiled.message);
  }
}

function paidFor(value: Json, budget: RenderBudget): Json {
  budget.output.use(sizeOf(value));
  return value;
}

/**
 * Nearly every path is names that are all there; Liquid has the word on all others. Measured once, and paid for before it is
 * copied: what is found may be far beyond the budget.
 */
function valueAt({ names, value }: Extract<Compiled, { kind: "path" }>, { scope, budget }: Rendering): Json {
  const found = names?.reduce<Json | undefined>(ownField, scope);
  if (!names || found === undefined) return paidFor(evaluateValue(value, openContext(scope, budget)) as Json, budget); // a path leads to JSON
  const bytes = sizeWithin(found, names, budget);
  budget.output.use(bytes);
  return found;
}

function sizeWithin(found: Json, names: readonly string[], { memory }: RenderBudget): number {
  try {
    const bytes = sizeOf(found);
    memory.use(bytes);
    return bytes;
  } catch (thrown) {
    const { code, message } = liquidFailure(thrown);
    throw fault(code, `${names.join(".").slice(0, 100)} ${message}`);
  }
}

function ownField(holder: Json | undefined, name: string): Json | undefined {
  return isPlainObject(holder) && Object.hasOwn(holder, name) ? (holder as JsonObject)[name] : undefined;
}

function joinParts(parts: readonly Part[], { scope, budget }: Rendering): Json {
  const { work } = budget;
  const context = part(work, () => openContext(scope, budget));
  const slots = parts.map((each) =>
    "secret" in each ? { name: each.secret } : renderTemplate(each.template, context, work),
  );
  const texts = slots.filter((slot) => typeof slot === "string");
  if (texts.length === slots.length) return texts.join("");
  return { $secret: slots.filter((slot) => slot !== "") } satisfies SecretSlot;
}

/** Data's own "$secret" gets one more "$": only what this file writes is a slot. Data without one is not copied. */
function escapeSlots(value: Json): Json {
  return holdsNoSlots(value) ? value : escapedIn(value);
}

function escapedIn(value: Json): Json {
  return mapChildren(value, escapedIn);
}

function mapChildren(value: Json, change: (item: Json, key: string | number) => Json): Json {
  if (Array.isArray(value)) return value.map((item: Json, index) => change(item, index));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value as JsonObject); // Json that is an object and not a list
  return Object.fromEntries(entries.map(([key, item]) => [escapedName(key), change(item, key)]));
}

function escapedName(key: string): string {
  return key.startsWith("$") ? key.replace(/^\$+secret$/, "$$$&") : key;
}

/** What can be seen to be wrong with the templates in a value before they ever render. */
export function templateFindings(value: Json, pointer: string): Finding[] {
  if (typeof value === "string") return textFindings(value, pointer);
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, item]) => templateFindings(item as Json, childPointer(pointer, key)));
}

function textFindings(text: string, pointer: string): Finding[] {
  const compiled = compile(text);
  if (compiled.kind !== "broken") return [];
  const { code, message, hint } = compiled;
  return [{ pointer, code, message, ...(hint === undefined ? {} : { hint }) }];
}
