// Checks a message template, and stores it as the next version of its name.
import type { StoredTemplate } from "#catalog/templates.ts";
import { openMessage, reviewMessage } from "#kernel/language/message-template.ts";
import { zodFindings } from "#schema/findings.ts";
import { accept, refuse, type Finding, type Result } from "#schema/refusal.ts";
import { settled, templateDraft } from "#schema/template.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { storeVersion } from "../versioned/store-version.ts";
import { invalidVersion } from "../versioned/versioned-noun.ts";
import { templateNoun } from "./template-noun.ts";

export type CreateTemplate = { readonly body: unknown; readonly dryRun: boolean };
export type CreatedTemplate = {
  readonly template: StoredTemplate;
  readonly created: boolean;
  /** What is not wrong and yet worth a look. */
  readonly hints: readonly Finding[];
};

export async function createTemplate(
  deps: Deps,
  caller: TenantCaller,
  { body, dryRun }: CreateTemplate,
): Promise<Result<CreatedTemplate>> {
  const parsed = templateDraft.safeParse(body);
  if (!parsed.success) return refuse(invalidVersion("template", zodFindings(parsed.error, templateDraft)));
  const template = settled(parsed.data);
  const { findings, hints } = reviewMessage(openMessage(template));
  if (findings.length > 0) return refuse(invalidVersion("template", findings));
  const content = {
    name: parsed.data.name,
    body: JSON.stringify(template),
    complete: async (row: StoredTemplate) => ({ row }),
    answerOf: (row: StoredTemplate) => ({ template: row, created: true, hints }) satisfies CreatedTemplate,
  };
  const stored = await storeVersion(deps, caller, templateNoun, { ...content, dryRun });
  if (!stored.ok) return stored;
  const { row, created } = stored.value;
  return accept({ template: row, created, hints });
}
