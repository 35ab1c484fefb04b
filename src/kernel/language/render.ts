// Rendering of a config, phase one: fills its templates from one scope. The result is stored, and retries use it again.
// Every string is a Liquid template, but field names are not. Secrets become slots (schema/secret-slots.ts), which the
// consumer fills in phase two.
import type { Json, JsonObject } from "#schema/json.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Finding } from "#schema/refusal.ts";
import { holdsNoSlots, LINK_PART, type SecretSlot } from "#schema/secret-slots.ts";
import { isPlainObject, childPointer, sizeOf } from "./json-values.ts";
import { failureOf, fault, type FaultCode } from "../computing/fault.ts";
import { evaluateValue, liquidFailure, openBudget, openContext, renderTemplate, type RenderBudget } from "./liquid.ts";
import { runPart, rethrowPause, openWork, type Work } from "../computing/work.ts";
import { compile, isLinkPath, type CompiledText, type Part } from "./template.ts";

export type RenderResult =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly code: FaultCode; readonly error: ActionError };

/** `hasLink`: `{{ unsubscribe_url }}` becomes a slot. Only e-mails have such a link. */
type RenderOptions = { readonly hasLink: boolean };
type Rendering = RenderOptions & { readonly scope: JsonObject; readonly budget: RenderBudget };

/** Renders a config. `work`: the remaining budget of the step; by default a full budget. */
export function render(
  config: Json,
  scope: JsonObject,
  work: Work = openWork(),
  options: RenderOptions = { hasLink: false },
): RenderResult {
  return runPart(work, () => renderNow(config, scope, work, options));
}

function renderNow(config: Json, scope: JsonObject, work: Work, { hasLink }: RenderOptions): RenderResult {
  try {
    // After a pause the step starts again, but must continue with the same budget object. The budget is therefore kept
    // as the result of a part.
    const budget = runPart(work, () => openBudget(undefined, work));
    return { ok: true, value: renderValue(config, "", { scope, budget, hasLink }) };
  } catch (thrown) {
    rethrowPause(work);
    const { code, message } = failureOf(thrown, TOO_DEEP);
    return { ok: false, code, error: { type: "invalid_configuration", message, retryable: false } };
  }
}

const TOO_DEEP = { code: "too_deep", message: "the config has too many levels to be rendered" } as const;

function renderValue(value: Json, pointer: string, rendering: Rendering): Json {
  if (typeof value === "string") return runPart(rendering.budget.work, () => renderText(value, pointer, rendering));
  return mapChildren(value, (item, key) => renderValue(item, childPointer(pointer, key), rendering));
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

function renderCompiled(text: string, { scope, budget, hasLink }: Rendering): Json {
  const compiled = compile(text);
  switch (compiled.kind) {
    case "text":
      return chargeOutput(text, budget);
    case "path":
      if (hasLink && isLinkPath(compiled.names)) return { $secret: [LINK_PART] } satisfies SecretSlot;
      return escapeSlots(valueAt(compiled, { scope, budget, hasLink }));
    case "parts":
      return chargeOutput(joinParts(compiled.parts, { scope, budget, hasLink }), budget);
    case "broken":
      throw fault(compiled.code, compiled.message);
  }
}

function chargeOutput(value: Json, budget: RenderBudget): Json {
  budget.output.use(sizeOf(value));
  return value;
}

/**
 * The value of a template that is a single path. Paths of plain names are read directly, and Liquid evaluates all
 * others. The value is charged before it is copied, because it may exceed the budget.
 */
function valueAt({ names, value }: Extract<CompiledText, { kind: "path" }>, { scope, budget }: Rendering): Json {
  const found = names?.reduce<Json | undefined>(ownField, scope);
  if (!names || found === undefined)
    return chargeOutput(evaluateValue(value, openContext(scope, budget)) as Json, budget); // A scope contains only JSON, so the value of a path is JSON.
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

function joinParts(parts: readonly Part[], { scope, budget, hasLink }: Rendering): Json {
  const { work } = budget;
  const context = runPart(work, () => openContext(scope, budget));
  const slots = parts.map((each) => {
    if ("secret" in each) return { name: each.secret };
    return hasLink && each.isLink ? LINK_PART : renderTemplate(each.template, context, work);
  });
  const texts = slots.filter((slot) => typeof slot === "string");
  if (texts.length === slots.length) return texts.join("");
  return { $secret: slots.filter((slot) => slot !== "") } satisfies SecretSlot;
}

/**
 * Adds one "$" to each field named "$secret" in data, so that data never contains a secret slot. Data without such
 * fields is not copied.
 */
function escapeSlots(value: Json): Json {
  return holdsNoSlots(value) ? value : escapedIn(value);
}

function escapedIn(value: Json): Json {
  return mapChildren(value, escapedIn);
}

function mapChildren(value: Json, change: (item: Json, key: string | number) => Json): Json {
  if (Array.isArray(value)) return value.map((item: Json, index) => change(item, index));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value as JsonObject); // The value is JSON and an object, and lists were handled above.
  return Object.fromEntries(entries.map(([key, item]) => [escapedName(key), change(item, key)]));
}

function escapedName(key: string): string {
  return key.startsWith("$") ? key.replace(/^\$+secret$/, "$$$&") : key;
}

/** Errors in a value's templates that can be found before rendering. */
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
