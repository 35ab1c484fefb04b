// Configuration export: reads all resources of a tenant as one document. The same configuration always gives the same
// document, because it contains no ids and no instants of the engine, and its lists are sorted by name.
import { idsIn, secretsOf } from "#policy/configuration/references.ts";
import { unpinTemplates } from "#policy/configuration/unpin.ts";
import type { ConfigurationItem, ConfigurationKind } from "#schema/configuration/document.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { JsonObject } from "#schema/json.ts";
import { BODY_BYTES_MAX, PAGE_ROWS_MAX } from "#schema/limits/api-requests.ts";
import { CONFIGURATION_AT_ONCE, CONFIGURATION_ITEMS_MAX } from "#schema/limits/upkeep/configuration.ts";
import { accept, refuse, type Finding, type Refusal, type Result } from "#schema/refusal.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { listTemplateVersions } from "../templates/templates.ts";
import type { ConfigurationContext, ConfigurationNoun } from "./configuration-noun.ts";
import { configurationNouns } from "./nouns.ts";

export type ExportConfiguration = { readonly kinds: readonly ConfigurationKind[] };
export type ExportedConfiguration = {
  /** The exported kinds. A kind without resources has an empty list. */
  readonly kinds: readonly ConfigurationKind[];
  readonly items: readonly ConfigurationItem[];
  /** The names of the secrets that the resources use. Their values are never exported. */
  readonly secrets: readonly string[];
  /** Parts that another tenant cannot apply. */
  readonly warnings: readonly Finding[];
};

export async function exportConfiguration(
  deps: Deps,
  caller: TenantCaller,
  { kinds }: ExportConfiguration,
): Promise<Result<ExportedConfiguration>> {
  const context = { deps, caller, templates: new Map(), calendars: new Map() };
  const found: ConfigurationItem[] = [];
  let bytes = 0;
  for (const noun of configurationNouns.filter(({ kind }) => kinds.includes(kind))) {
    const names = await listAllNames(context, noun, CONFIGURATION_ITEMS_MAX - found.length);
    if (!names.ok) return names;
    for (let at = 0; at < names.value.length; at += CONFIGURATION_AT_ONCE) {
      const read = await readItems(context, noun, names.value.slice(at, at + CONFIGURATION_AT_ONCE));
      if (!read.ok) return read;
      bytes += utf8.encode(JSON.stringify(read.value)).byteLength;
      if (bytes > BODY_BYTES_MAX) return refuse(tooLarge("bytes", "BODY_BYTES_MAX", BODY_BYTES_MAX));
      found.push(...read.value);
    }
  }
  const items = await withoutPins(context, found);
  if (!items.ok) return items;
  const secrets = [...new Set(items.value.flatMap(secretsOf))].toSorted();
  return accept({ kinds, items: items.value, secrets, warnings: warningsOf(items.value) });
}

const utf8 = new TextEncoder();

/** Lists all names of a kind. Refuses a list of more than `max` names. */
export async function listAllNames(
  context: ConfigurationContext,
  noun: ConfigurationNoun,
  max: number,
): Promise<Result<readonly string[]>> {
  const names: string[] = [];
  for (;;) {
    const page = await noun.list(context, names.at(-1) ?? "", PAGE_ROWS_MAX);
    if (!page.ok) return page;
    names.push(...page.value);
    if (names.length > max) return refuse(tooLarge("resources", "CONFIGURATION_ITEMS_MAX", CONFIGURATION_ITEMS_MAX));
    if (page.value.length < PAGE_ROWS_MAX) return accept(names);
  }
}

async function readItems(
  context: ConfigurationContext,
  { kind, find }: ConfigurationNoun,
  names: readonly string[],
): Promise<Result<readonly ConfigurationItem[]>> {
  const items: ConfigurationItem[] = [];
  for (const [n, read] of (await Promise.all(names.map((name) => find(context, name)))).entries()) {
    if (!read.ok) return read;
    if (read.value !== null) items.push({ kind, name: names[n] ?? "", body: read.value.body });
  }
  return accept(items);
}

/** Removes the dates of calendars from definitions, and replaces the pinned template versions by the templates' names, where the version is the current one. */
async function withoutPins(
  { deps, caller }: ConfigurationContext,
  items: readonly ConfigurationItem[],
): Promise<Result<readonly ConfigurationItem[]>> {
  if (!items.some(({ kind }) => kind === "definitions")) return accept(items);
  const current = await listTemplateVersions(deps, caller);
  if (!current.ok) return current;
  return accept(
    items.map((item) => (item.kind === "definitions" ? { ...item, body: unpinned(item.body, current.value) } : item)),
  );
}

function unpinned(body: JsonObject, current: ReadonlyMap<string, number>): JsonObject {
  // The stored body passed the checks of a definition, and the result is JSON like it.
  const { calendars: _dates, ...written } = unpinTemplates(body as unknown as Definition, current);
  return written as unknown as JsonObject;
}

function warningsOf(items: readonly ConfigurationItem[]): readonly Finding[] {
  const counts = new Map<ConfigurationKind, number>();
  return items.flatMap(({ kind, body }) => {
    const index = counts.get(kind) ?? 0;
    counts.set(kind, index + 1);
    return idsIn(body).map((pointer) => {
      const message = "is an id, which other tenants do not have";
      return { pointer: `/${kind}/${index}${pointer}`, code: "tenant_id", message, hint: "Use a name instead." };
    });
  });
}

export function tooLarge(what: string, limit: string, max: number): Refusal {
  return {
    code: "limit_exceeded",
    message: `The configuration has more than ${max} ${what} (${limit}).`,
    hint: "Export and apply it in parts: ?kinds=templates,connections, then ?kinds=definitions, and so on.",
    details: { limit, max },
  };
}
