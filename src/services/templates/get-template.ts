// Reads one version of a template: by name (the latest) or by name and version.
import { findTemplate, type StoredTemplate } from "#catalog/templates.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { parseTemplateReference, templateNotFound } from "./template-reference.ts";

export type GetTemplate = { readonly template: string };

export async function getTemplate(
  deps: Deps,
  caller: TenantCaller,
  { template }: GetTemplate,
): Promise<Result<StoredTemplate>> {
  const row = await findTemplate(deps.db, caller.tenant, parseTemplateReference(template));
  return row === null ? refuse(templateNotFound(template)) : accept(row);
}
