// Stores a message template as the next version of its name. The same content again is the same version again, so a
// deployment may send its templates every time.
import { findTemplate, insertTemplate, latestTemplateVersion, type StoredTemplate } from "#catalog/templates.ts";
import { openMessage, reviewMessage } from "#kernel/language/message-template.ts";
import { zodFindings } from "#schema/findings.ts";
import { accept, refuse, type Finding, type Result } from "#schema/refusal.ts";
import { settled, templateDraft } from "#schema/template.ts";
import { VERSION_TRIES_MAX } from "#schema/limits/upkeep.ts";
import { auditRow } from "../upkeep/audit.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { learnTemplate } from "./find-template.ts";
import { sha256 } from "../hash.ts";

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
  input: CreateTemplate,
): Promise<Result<CreatedTemplate>> {
  const parsed = templateDraft.safeParse(input.body);
  if (!parsed.success) return refuse(invalid(zodFindings(parsed.error, templateDraft)));
  const template = settled(parsed.data);
  const { findings, hints } = reviewMessage(openMessage(template));
  if (findings.length > 0) return refuse(invalid(findings));
  const { name } = parsed.data;
  const body = JSON.stringify(template);
  const content = { tenant: caller.tenant, name, body, hash: await sha256(body) };
  for (let tries = 0; tries < VERSION_TRIES_MAX; tries++) {
    const held = await findTemplate(deps.db, caller.tenant, { name, version: null });
    const isSame = held?.hash === content.hash && held.archivedAt === null;
    if (isSame) return accept({ template: held, created: false, hints });
    const version = 1 + (await latestTemplateVersion(deps.db, caller.tenant, name));
    const next = { ...content, version, createdAt: deps.now(), archivedAt: null };
    if (input.dryRun || (await insert(deps, caller, next))) return accept({ template: next, created: true, hints });
  }
  return refuse({ code: "unavailable", message: `Too many versions of "${name}" are being created at once.` });
}

/** False: another caller took this version number in between. */
async function insert(deps: Deps, caller: TenantCaller, row: StoredTemplate): Promise<boolean> {
  const audit = auditRow(deps, { ...caller, tenant: row.tenant }, "template.create", `${row.name}@${row.version}`);
  if (!(await insertTemplate(deps.db, row, audit))) return false;
  learnTemplate(row, deps.now());
  return true;
}

function invalid(errors: readonly Finding[]) {
  const [first] = errors;
  const where = first === undefined || first.pointer === "" ? "" : ` at ${first.pointer}`;
  const count = errors.length === 1 ? "one problem" : `${errors.length} problems`;
  const message = `The template has ${count}; the first${where}: ${first?.message ?? ""}.`;
  return { code: "template_invalid", message, errors } as const;
}
