// Placeholders of recurring actions: fills the templates in a dedup key and in a definition's variables. The payload's
// templates are not filled here, because the kernel renders them when the action starts.
import { render } from "#kernel/language/render.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { RECURRING_DEDUP_KEY_CHARS_MAX } from "#schema/limits/recurring-actions.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { fillSecrets } from "#schema/secret-slots.ts";

export function dedupKeyOf(template: string, names: JsonObject): Result<string> {
  const key = fill(template, names, "/dedup_key");
  if (!key.ok) return key;
  const text = String(key.value);
  if (text !== "" && text.length <= RECURRING_DEDUP_KEY_CHARS_MAX) return accept(text);
  const message = `is rendered to ${text.length} characters; it must have 1 to ${RECURRING_DEDUP_KEY_CHARS_MAX} (RECURRING_DEDUP_KEY_CHARS_MAX)`;
  return invalid("/dedup_key", "limit_exceeded", message);
}

/**
 * Fills the templates in a definition's variables. The names of the occurrence are not added as variables, because the
 * definition's input schema could refuse unknown variables.
 */
export function fillVariables(variables: JsonObject, names: JsonObject): Result<JsonObject> {
  const filled: [string, Json][] = [];
  for (const [name, value] of Object.entries(variables)) {
    const rendered = fill(value, names, `/variables/${name}`);
    if (!rendered.ok) return rendered;
    filled.push([name, rendered.value]);
  }
  return accept(Object.fromEntries(filled));
}

function fill(value: Json, names: JsonObject, pointer: string): Result<Json> {
  const rendered = render(value, names);
  if (!rendered.ok) return invalid(pointer, rendered.code, withoutPlace(rendered.error.message));
  // Without any secret, this only removes the escapes that rendering adds to field names.
  const unescaped = fillSecrets(rendered.value, {});
  if (unescaped.ok) return accept(unescaped.value);
  return invalid(pointer, "secret_misused", "cannot contain a secret, because the value is stored and shown");
}

function withoutPlace(message: string): string {
  return message.replace(/^config(?:\/\S*)?: /, "");
}

function invalid(pointer: string, code: string, message: string): Result<never> {
  const hint = "These templates can read recurring_id and execution_time.";
  return refuse({
    code: "invalid_input",
    message: `${pointer}: ${message}.`,
    hint,
    errors: [{ pointer, code, message, hint }],
  });
}
