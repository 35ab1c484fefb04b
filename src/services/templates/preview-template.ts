// What a template would say with these variables. Nothing is sent, nothing is kept.
import type { StoredTemplate } from "#catalog/templates.ts";
import { openMessage, renderMessage, reviewMessage, type RenderedMessage } from "#kernel/language/message-template.ts";
import type { JsonObject } from "#schema/json.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { templateOf } from "./find-template.ts";
import { checkVariables } from "../size-limits.ts";
import { getVersion } from "../versioned/get-version.ts";
import { templateNoun } from "./template-noun.ts";

export type PreviewTemplate = { readonly template: string; readonly variables: JsonObject };
export type PreviewedTemplate = { readonly template: StoredTemplate; readonly rendered: RenderedMessage };

export async function previewTemplate(
  deps: Deps,
  caller: TenantCaller,
  { template, variables }: PreviewTemplate,
): Promise<Result<PreviewedTemplate>> {
  const size = checkVariables(variables);
  if (!size.ok) return size;
  const found = await getVersion(deps, caller, templateNoun, template);
  if (!found.ok) return found;
  const message = openMessage(templateOf(found.value));
  const rendered = renderMessage(message, variables);
  const hints = [...reviewMessage(message).hints, ...rendered.hints];
  return accept({ template: found.value, rendered: { ...rendered, hints } });
}
