// Template rendering: renders a stored template for one message of one run. Runners call it as `context.template`.
import { renderMessage } from "#kernel/language/message-template.ts";
import type { JsonObject } from "#schema/json.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Finding } from "#schema/refusal.ts";
import type { RenderedTemplate } from "#schema/template.ts";
import { catalogOutage } from "../catalog-outage.ts";
import { findTemplate, type TemplateDeps } from "./templates.ts";

export type TemplateResult =
  | { readonly ok: true; readonly rendered: RenderedTemplate }
  | { readonly ok: false; readonly failure: { readonly error: ActionError } };

/** `link`: the text that the template inserts as `unsubscribe_url`. */
export async function renderTemplate(
  deps: TemplateDeps,
  tenant: string,
  reference: string,
  variables: { readonly [name: string]: unknown },
  link: string,
): Promise<TemplateResult> {
  try {
    const found = await findTemplate(deps, tenant, reference);
    if (found === null) return templateFailure(`there is no template "${reference}"`, "template_unknown");
    const values = variables as JsonObject; // The variables come from a rendered config, which is JSON.
    const { subject, html, text, findings } = renderMessage(found.message, values, link);
    if (findings.length === 0) return { ok: true, rendered: { subject, html, text } };
    return templateFailure(
      `template ${found.name}@${found.version}: ${findings.map(sentenceOf).join("; ")}`,
      "template_failed",
    );
  } catch (cause) {
    deps.log({
      level: "error",
      message: "the catalog does not answer, so templates cannot be looked up",
      tenant,
      reference,
      error: String(cause),
    });
    return {
      ok: false,
      failure: { error: catalogOutage(cause, "the catalog does not answer, so templates cannot be looked up") },
    };
  }
}

function templateFailure(message: string, code: string): TemplateResult {
  return { ok: false, failure: { error: { type: "invalid_configuration", message, retryable: false, code } } };
}

/** Returns a finding as a sentence that begins with the field: `variables.name: the variable "name" is missing`. */
function sentenceOf({ pointer, message, hint }: Finding): string {
  const sentence = `${pointer.slice(1).replaceAll("/", ".")}: ${message}`;
  return hint === undefined ? sentence : `${sentence}, ${hint}`;
}
