// Template pinning: replaces each template's name in a definition's actions by its current version, such as "welcome"
// by "welcome@3". So every attempt of every execution of the definition sends the same text. A name that contains a
// template expression ({{ … }}) is resolved when the run is rendered.
import { templateVersions, type StoredTemplate } from "#catalog/templates.ts";
import { findVersion } from "#catalog/versioned.ts";
import { variableFindings } from "#kernel/language/message-template.ts";
import { placedActions, placeIn, placeOfFinding, withValueAt } from "#kernel/programs/placed-actions.ts";
import type { AnyAction } from "#schema/definition/action.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import type { Finding } from "#schema/refusal.ts";
import type { TemplateVariable } from "#schema/template.ts";
import type { Deps } from "../deps.ts";
import { findTemplate, templateOf, type TemplateDeps } from "./templates.ts";
import { oncePerKey } from "../once-per-key.ts";
import { openNameSuggestions, type FindSimilarName } from "../versioned/suggest-names.ts";
import { parseVersionReference } from "../versioned/version-reference.ts";

export type PinnedDefinition = { readonly definition: Definition; readonly findings: readonly Finding[] };

export async function pinTemplates(
  deps: CatalogDeps,
  tenant: string,
  definition: Definition,
  pending: PendingTemplates = new Map(),
): Promise<PinnedDefinition> {
  const withTemplate = placedActions(definition).filter(({ action }) => namesTemplate(action));
  const templates = {
    find: oncePerKey(
      async (reference) => pending.get(reference) ?? versionOf(await findStored(deps, tenant, reference)),
    ),
    findNear: openNameSuggestions(deps, templateVersions, tenant),
  };
  const pinned = await Promise.all(
    withTemplate.map(async (placed) => {
      const { action, findings } = await pinAction(placed.action, "/config", templates);
      const at = placeIn(definition, placed, ["config", "template"]);
      const template = action.config["template"] ?? null;
      return { at, template, findings: findings.map((each) => placeOfFinding(definition, placed, each)) };
    }),
  );
  return {
    definition: pinned.reduce((before, { at, template }) => withValueAt(before, at, template), definition),
    findings: pinned.flatMap(({ findings }) => findings),
  };
}

/** Pins the template of one action. Most actions need no catalog read, because the isolate caches templates. */
export async function pinOneAction<Action extends AnyAction>(
  deps: TemplateDeps,
  tenant: string,
  action: Action,
  at: string,
  templates: TemplateLookup = openTemplateLookup(deps, tenant),
): Promise<PinnedAction<Action>> {
  return pinAction(action, `${at}/config`, templates);
}

/** Opens the lookup for the actions of one request. Each reference is looked up once, even if many actions name it. */
export function openTemplateLookup(deps: TemplateDeps, tenant: string): TemplateLookup {
  const find = async (reference: string): Promise<FoundVersion | null> => {
    const cached = await findTemplate(deps, tenant, reference);
    if (cached === null) return versionOf(await findStored(deps, tenant, reference));
    return { name: cached.name, version: cached.version, isArchived: false, variables: cached.message.variables };
  };
  return { find: oncePerKey(find), findNear: openNameSuggestions(deps, templateVersions, tenant) };
}

/** Templates by name that are not stored yet, and count as stored. */
export type PendingTemplates = ReadonlyMap<string, PendingTemplate>;
export type PendingTemplate = FoundVersion;
type FoundVersion = {
  readonly name: string;
  readonly version: number;
  readonly isArchived: boolean;
  readonly variables: readonly TemplateVariable[];
};
export type TemplateLookup = {
  readonly find: (reference: string) => Promise<FoundVersion | null>;
  readonly findNear: FindSimilarName;
};
type CatalogDeps = Pick<Deps, "db">;

function findStored(deps: CatalogDeps, tenant: string, reference: string): Promise<StoredTemplate | null> {
  return findVersion(deps.db, templateVersions, tenant, parseVersionReference(reference));
}

function versionOf(row: StoredTemplate | null): FoundVersion | null {
  if (row === null) return null;
  const { name, version, archivedAt } = row;
  return { name, version, isArchived: archivedAt !== null, variables: templateOf(row).variables };
}

type PinnedAction<Action> = { readonly action: Action; readonly findings: readonly Finding[] };

/** Pins the template of an action. `at` is the JSON pointer of the config. */
async function pinAction<Action extends AnyAction>(
  action: Action,
  at: string,
  { find, findNear }: TemplateLookup,
): Promise<PinnedAction<Action>> {
  const { template, variables = {} } = action.config;
  if (!isName(template)) return { action, findings: [] };
  const target = await find(template);
  if (target === null) return { action, findings: [await unknownTemplate(findNear, `${at}/template`, template)] };
  if (target.isArchived) return { action, findings: [archivedTemplate(`${at}/template`, template)] };
  const config = { ...action.config, template: `${target.name}@${target.version}` };
  // If the variables are a literal object, their names are known even if their values contain templates. So missing
  // variables are found now.
  const findings = isObject(variables) ? variableFindings(target.variables, variables, `${at}/variables`) : [];
  return { action: { ...action, config }, findings };
}

async function unknownTemplate(findNear: FindSimilarName, pointer: string, reference: string): Promise<Finding> {
  const similar = await findNear(reference);
  const message = `there is no template "${reference}"`;
  const hint =
    similar === null
      ? "Create the template first: POST /v1/templates."
      : similar.newest === null
        ? `did you mean "${similar.name}"?`
        : `"${similar.name}" has other versions`;
  return { pointer, code: "unknown_template", message, hint };
}

function archivedTemplate(pointer: string, reference: string): Finding {
  return { pointer, code: "template_archived", message: `the template "${reference}" is archived` };
}

function namesTemplate({ config }: AnyAction): boolean {
  return isName(config["template"]);
}

function isName(value: Json | undefined): value is string {
  return typeof value === "string" && !value.includes("{{") && !value.includes("{%");
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
