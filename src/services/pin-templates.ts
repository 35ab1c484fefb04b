// Pins the templates that a definition's actions name: "welcome" becomes "welcome@3", the version of that moment, so
// that every attempt of every execution of this definition sends the same words. A name that is itself a template
// ({{ … }}) is found only when the run is rendered, and stays as it is.
import * as catalog from "#catalog/templates.ts";
import { variableFindings } from "#kernel/message-template.ts";
import type { ActionDefinition } from "#schema/action.ts";
import type { Definition } from "#schema/definition.ts";
import { jsonPointer } from "#schema/findings.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import type { Finding } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import type { Deps } from "./deps.ts";
import { templateOf } from "./find-template.ts";
import { parseTemplateReference } from "./template-reference.ts";

/** How many names "did you mean" looks at. */
const NAMES_MAX = 1_000;

export type Pinned = { readonly definition: Definition; readonly findings: readonly Finding[] };

export async function pinTemplates(deps: Deps, tenant: string, definition: Definition): Promise<Pinned> {
  if (!definition.actions?.some(namesTemplate)) return { definition, findings: [] };
  const find = oncePerReference(deps, tenant);
  const pinned = await Promise.all(
    definition.actions.map((action, n) =>
      pinAction(action, jsonPointer(["actions", n, "config"]), find, (at, name) => unknown(deps, tenant, at, name)),
    ),
  );
  const actions = pinned.map(({ action }) => action);
  return { definition: { ...definition, actions }, findings: pinned.flatMap(({ findings }) => findings) };
}

/** The same for one action, whose config stands at `at`. */
export function pinTemplateOf(deps: Deps, tenant: string, action: ActionDefinition, at: string): Promise<PinnedAction> {
  const find = oncePerReference(deps, tenant);
  return pinAction(action, at, find, (pointer, name) => unknown(deps, tenant, pointer, name));
}

type Find = (reference: string) => Promise<catalog.StoredTemplate | null>;

function oncePerReference(deps: Deps, tenant: string): Find {
  const asked = new Map<string, Promise<catalog.StoredTemplate | null>>();
  return (reference) => {
    const found = asked.get(reference) ?? catalog.findTemplate(deps.db, tenant, parseTemplateReference(reference));
    asked.set(reference, found);
    return found;
  };
}

type PinnedAction = { readonly action: ActionDefinition; readonly findings: readonly Finding[] };

async function pinAction(
  action: ActionDefinition,
  at: string,
  find: Find,
  unknownAt: (pointer: string, reference: string) => Promise<Finding>,
): Promise<PinnedAction> {
  const { template, variables = {} } = action.config;
  if (!isName(template)) return { action, findings: [] };
  const row = await find(template);
  if (row === null) return { action, findings: [await unknownAt(`${at}/template`, template)] };
  if (row.archivedAt !== null) return { action, findings: [archived(`${at}/template`, template)] };
  const config = { ...action.config, template: `${row.name}@${row.version}` };
  // Written out, the variables' names are known before their values are.
  const findings = isObject(variables) ? variableFindings(templateOf(row).variables, variables, `${at}/variables`) : [];
  return { action: { ...action, config }, findings };
}

async function unknown(deps: Deps, tenant: string, pointer: string, reference: string): Promise<Finding> {
  const page = await catalog.listTemplates(deps.db, tenant, null, NAMES_MAX);
  const known = page.ok ? page.value.data.map(({ name }) => name) : [];
  const { name } = parseTemplateReference(reference);
  const message = `there is no template "${reference}"`;
  if (known.includes(name)) {
    return { pointer, code: "unknown_template", message, hint: `"${name}" has other versions` };
  }
  const near = didYouMean(name, known);
  const hint = near === null ? "create it first: POST /v1/templates" : `did you mean "${near}"?`;
  return { pointer, code: "unknown_template", message, hint };
}

function archived(pointer: string, reference: string): Finding {
  return { pointer, code: "template_archived", message: `the template "${reference}" is archived` };
}

function namesTemplate({ config }: ActionDefinition): boolean {
  return isName(config["template"]);
}

function isName(value: Json | undefined): value is string {
  return typeof value === "string" && !value.includes("{{") && !value.includes("{%");
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
