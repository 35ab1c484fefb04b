// How a template is named: `name` (its latest version that is not archived) or `name@version`.
import type { TemplateKey } from "#catalog/templates.ts";

const VERSIONED = /^(.+)@(\d{1,9})$/;

export function parseTemplateReference(reference: string): TemplateKey {
  const [, name, version] = VERSIONED.exec(reference) ?? [];
  return name === undefined ? { name: reference, version: null } : { name, version: Number(version) };
}

export function templateNotFound(reference: string) {
  return { code: "not_found", message: `There is no template "${reference}".` } as const;
}
