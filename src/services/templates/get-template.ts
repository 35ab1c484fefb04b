// Reads one version of a template: by name (the latest) or by name and version.
import { findTemplate, type StoredTemplate } from "#catalog/templates.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Caller, Deps } from "../deps.ts";
import { parseTemplateReference, templateNotFound } from "./template-reference.ts";
import { tenantOf } from "../caller/tenant-of.ts";

export type GetTemplate = { readonly template: string };

export async function getTemplate(
  deps: Deps,
  caller: Caller,
  { template }: GetTemplate,
): Promise<Result<StoredTemplate>> {
  const tenant = tenantOf(caller);
  if (!tenant.ok) return tenant;
  const row = await findTemplate(deps.db, tenant.value, parseTemplateReference(template));
  return row === null ? refuse(templateNotFound(template)) : accept(row);
}
