// Message templates: creates, finds and previews them.
import { templateVersions, type StoredTemplate } from "#catalog/templates.ts";
import { type VersionKey, findVersion, listLatest } from "#catalog/versioned.ts";
import {
  parseMessage,
  reviewMessage,
  type Message,
  renderMessage,
  type RenderedMessage,
} from "#kernel/language/message-template.ts";
import { zodFindings } from "#schema/findings.ts";
import type { JsonObject } from "#schema/json.ts";
import { PAGE_ROWS_MAX } from "#schema/limits/api-requests.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { accept, refuse, type Finding, type Refusal, type Result } from "#schema/refusal.ts";
import { completeTemplate, templateDraft, type MessageTemplate } from "#schema/template.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { dropCached, putCached, openIsolateCache, readCached } from "../isolate-cache.ts";
import type { WriteOutcome } from "../named/put-named.ts";
import { checkVariables } from "../size-limits.ts";
import { withTimeLimit } from "../time-limit.ts";
import { getVersion } from "../versioned/get-version.ts";
import { putVersion, type PutVersion } from "../versioned/put-version.ts";
import { storeVersion } from "../versioned/store-version.ts";
import { versionKey, parseVersionReference } from "../versioned/version-reference.ts";
import { type VersionedNoun, invalidVersion } from "../versioned/versioned-noun.ts";
import type { PendingTemplate } from "./pin-templates.ts";

export const templateNoun: VersionedNoun<StoredTemplate, VersionKey> = {
  word: "template",
  versions: templateVersions,
  keyOf: versionKey,
  isCurrent: ({ archivedAt }) => archivedAt === null,
  cache: cacheTemplate,
  evict: evictTemplate,
};

export type CreateTemplate = {
  readonly body: unknown;
  readonly admit?: (current: StoredTemplate | null) => Refusal | null;
  readonly dryRun: boolean;
};
export type CreatedTemplate = {
  readonly template: StoredTemplate;
  readonly created: boolean;
  /** Findings about parts that are valid but may be mistakes. They do not prevent storing. */
  readonly hints: readonly Finding[];
};

export async function createTemplate(
  deps: Deps,
  caller: TenantCaller,
  { body, admit, dryRun }: CreateTemplate,
): Promise<Result<CreatedTemplate>> {
  const checked = checkTemplate(body);
  if (!checked.ok) return checked;
  const { name, template, hints } = checked.value;
  const content = {
    name,
    body: JSON.stringify(template),
    complete: async (row: StoredTemplate) => ({ row }),
    answerOf: (row: StoredTemplate) => ({ template: row, created: true, hints }) satisfies CreatedTemplate,
  };
  const stored = await storeVersion(deps, caller, templateNoun, { ...content, ...(admit && { admit }), dryRun });
  if (!stored.ok) return stored;
  const { row, created } = stored.value;
  return accept({ template: row, created, hints });
}

type CheckedTemplate = {
  readonly name: string;
  readonly template: MessageTemplate;
  readonly hints: readonly Finding[];
};

function checkTemplate(body: unknown): Result<CheckedTemplate> {
  const parsed = templateDraft.safeParse(body);
  if (!parsed.success) return refuse(invalidVersion("template", zodFindings(parsed.error, templateDraft)));
  const template = completeTemplate(parsed.data);
  const { findings, hints } = reviewMessage(parseMessage(template));
  if (findings.length > 0) return refuse(invalidVersion("template", findings));
  return accept({ name: parsed.data.name, template, hints });
}

/** Checks a template, and returns it with its defaults as the body that a client would send for it. */
export function parseTemplate(body: unknown): Result<JsonObject> {
  const checked = checkTemplate(body);
  return checked.ok ? accept(asWritten(checked.value.name, checked.value.template)) : checked;
}

export function templateAsWritten(row: StoredTemplate): JsonObject {
  return asWritten(row.name, templateOf(row));
}

/** Leaves out fields without a value, because a client cannot send null for them. */
function asWritten(name: string, { description, subject, html, text, variables }: MessageTemplate): JsonObject {
  const parts = Object.entries({ description, subject, html, text }).filter(([, value]) => value !== null);
  const declared = variables.map(({ name: variable, required, default: value, description: about }) => ({
    name: variable,
    required,
    ...(value === null ? {} : { default: value }),
    ...(about === null ? {} : { description: about }),
  }));
  return { name, ...Object.fromEntries(parts), ...(declared.length === 0 ? {} : { variables: declared }) };
}

/**
 * A template of a configuration document, as definitions of the same document find it before it is stored. Its version
 * is a guess, because the version number is known only when it is stored.
 */
export function pendingTemplate(name: string, body: unknown): PendingTemplate | null {
  const checked = checkTemplate(body);
  if (!checked.ok) return null;
  return { name, version: PENDING_VERSION, isArchived: false, variables: checked.value.template.variables };
}

const PENDING_VERSION = 999_999_999;

/** Returns the current version of each template. */
export async function listTemplateVersions(
  { db }: Pick<Deps, "db">,
  { tenant }: TenantCaller,
): Promise<Result<ReadonlyMap<string, number>>> {
  const versions = new Map<string, number>();
  for (let cursor: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof listLatest>> = await listLatest(
      db,
      templateVersions,
      tenant,
      cursor,
      PAGE_ROWS_MAX,
    );
    if (!page.ok) return page;
    for (const { name, version } of page.value.data) versions.set(name, version);
    if (page.value.nextCursor === null) return accept(versions);
    cursor = page.value.nextCursor;
  }
}

export function putTemplate(
  deps: Deps,
  caller: TenantCaller,
  input: PutVersion,
): Promise<Result<WriteOutcome<CreatedTemplate>>> {
  return putVersion(
    templateNoun,
    input,
    (content) => createTemplate(deps, caller, content),
    ({ template }) => template,
  );
}

export type FoundTemplate = { readonly name: string; readonly version: number; readonly message: Message };
export type TemplateDeps = Pick<Deps, "now" | "db" | "log">;

const latest = openTemplateCache(isolateCaches.templates.freshMs);
const pinned = openTemplateCache(Number.POSITIVE_INFINITY);

/**
 * Finds a template. Returns null if there is none. Also returns null for a name without a version whose current version
 * is archived. Throws D1's exceptions.
 */
export async function findTemplate(
  deps: TemplateDeps,
  tenant: string,
  reference: string,
): Promise<FoundTemplate | null> {
  const key = parseVersionReference(reference);
  const cache = key.version === null ? latest : pinned;
  const load = async () =>
    toFound(
      await withTimeLimit(isolateCaches.templates.lookMs, findVersion(deps.db, templateVersions, tenant, key)),
      key,
    );
  return readCached(cache, cacheKey(tenant, reference), deps.now, load);
}

/** Caches a version that this isolate has just created. The template's name now resolves to that version. */
export function cacheTemplate(row: StoredTemplate, at: number): void {
  putCached(latest, cacheKey(row.tenant, row.name), toFound(row, { name: row.name, version: null }), at);
}

/**
 * Evicts a name from this isolate's cache after versions were archived. The name may resolve to another version now.
 */
export function evictTemplate(tenant: string, name: string): void {
  dropCached(latest, (_found, key) => key === cacheKey(tenant, name));
}

function openTemplateCache(freshMs: number) {
  return openIsolateCache<FoundTemplate | null>({
    sizeMax: isolateCaches.templates.sizeMax,
    freshMs: (found) => (found === null ? 0 : freshMs),
    staleMs: (found) => (found === null ? 0 : isolateCaches.templates.staleMs),
  });
}

function cacheKey(tenant: string, reference: string): string {
  return `${tenant}\n${reference}`;
}

/**
 * An archived version is still found by its number, because runs in progress send the version that was pinned for them.
 */
function toFound(row: StoredTemplate | null, { version }: VersionKey): FoundTemplate | null {
  if (row === null || (version === null && row.archivedAt !== null)) return null;
  return { name: row.name, version: row.version, message: parseMessage(templateOf(row)) };
}

/** A template was checked before its body was stored. */
export function templateOf({ body }: StoredTemplate): MessageTemplate {
  return JSON.parse(body) as MessageTemplate;
}

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
  const message = parseMessage(templateOf(found.value));
  const rendered = renderMessage(message, variables);
  const hints = [...reviewMessage(message).hints, ...rendered.hints];
  return accept({ template: found.value, rendered: { ...rendered, hints } });
}
