// Poll pages: requests one page of a poller's list, reads its items, and maps them to deliveries.
import type { StoredTrigger } from "#catalog/triggers.ts";
import { openWork } from "#kernel/computing/work.ts";
import { render } from "#kernel/language/render.ts";
import { readPage, type ReadItem } from "#policy/polling/read-page.ts";
import { lengthMs } from "#schema/definition/duration-text.ts";
import type { Duration } from "#schema/definition/timing.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { PollerTerms, Arrival, StoredRequest, DeliveryFault } from "#schema/inbound/delivery.ts";
import type { PollSettings } from "#schema/inbound/poll.ts";
import type {
  UndeliveredItem,
  PollAnswer,
  PollRequest,
  PollCursor,
  PollResult,
  PollItem,
} from "#schema/inbound/polling.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { POLL_ID_CHARS_MAX, POLL_REASON_CHARS_MAX, POLL_TIMEOUT_MS } from "#schema/limits/inbound/polling.ts";
import type { Deps } from "../deps.ts";
import { openDefinitions } from "../definitions/find-definition.ts";
import { sha256 } from "../hash.ts";
import { tenantSettingsOf } from "../quotas/tenant-settings.ts";
import { findHook } from "./hook-token.ts";
import { mapDelivery } from "./map-delivery.ts";

type Row = Pick<StoredTrigger, "tenant" | "id" | "kind" | "updatedAt" | "standing" | "settings">;

/** Returns the poller's settings for its object. Returns null if the trigger is not a poller. */
export function pollerTerms({ tenant, id, kind, updatedAt, standing, settings }: Row): PollerTerms | null {
  const { poll } = settings;
  if (poll === undefined) return null;
  const { order, change, resume, from } = poll;
  return {
    tenant,
    trigger: id,
    kind,
    poll: {
      generation: updatedAt,
      epoch: standing.epoch ?? 0,
      isEnabled: standing.disabled === null,
      everyMs: intervalMs(poll.every),
      reading: readingKey(poll),
      order,
      change,
      resume,
      from,
    },
  };
}

export function intervalMs(every: Duration): number {
  return typeof every === "number" ? every : lengthMs(every);
}

/** Returns the settings that decide which items are read and how items are identified. */
export function readingKey({ every: _every, from: _from, ...reading }: PollSettings): string {
  return JSON.stringify(reading);
}

/**
 * Returns the settings that identify a list and its items. If one of them changes, the stored position may be invalid.
 */
export function listIdentity({ request, items, id, change, paging }: PollSettings): string {
  const { url, service, endpoint, query } = request;
  return JSON.stringify([url, service, endpoint, query, items, id, change, paging]);
}

/** Maps found items to deliveries. Returns null if the trigger was deleted or the catalog does not answer now. */
export async function mapItems(
  deps: Deps,
  { tenant, trigger }: PollerName,
  items: readonly UndeliveredItem[],
): Promise<readonly Arrival[] | null> {
  const row = await findHook(deps, tenant, trigger);
  if (row === null) return null;
  const find = openDefinitions(deps, tenant);
  const arrivals: Arrival[] = [];
  for (const item of items) {
    const request = requestOf(item);
    // Each item gets a work budget of its own, like a delivery that arrives in a request of its own.
    const mapped = await mapDelivery(deps, row, request, null, { work: openWork(), find });
    if (!mapped.ok) return null;
    arrivals.push({ identity: `=${item.deliveryId}`, request, ...mapped.value });
  }
  return arrivals;
}

function requestOf({ body, deliveryId, foundAt, trouble }: UndeliveredItem): StoredRequest {
  return {
    method: "GET",
    query: {},
    headers: {},
    body,
    deliveryId,
    receivedAt: new Date(foundAt).toISOString(),
    ...(trouble === undefined ? {} : { unreadable: trouble }),
  };
}

export type PollerName = { readonly tenant: string; readonly trigger: string };
/** Executes the ticket through the runner, like every outgoing call. */
export type ExecuteTicket = (ticket: Ticket) => Promise<Outcome>;

export async function pollPage(
  deps: Deps,
  poller: PollerName,
  pollRequest: PollRequest,
  carryOut: ExecuteTicket,
): Promise<PollResult> {
  const row = await findRow(deps, poller);
  if (row === "unknown") return { terms: null, answer: failure(triggerUnavailable) };
  const terms = row === null ? null : pollerTerms(row);
  if (row === null || terms === null) return { terms: null, answer: { kind: "gone" } };
  const polled = (answer: PollAnswer): PollResult => ({ terms: terms.poll, answer });
  // The settings have changed since the object sent this request. The object would discard the page, so it is not
  // requested.
  if (terms.poll.generation !== pollRequest.generation) return polled(failure(changedMeanwhile));
  if (!terms.poll.isEnabled) return polled({ kind: "off", reason: triggerDisabled });
  const { suspended } = await tenantSettingsOf(deps, poller.tenant);
  if (suspended !== null) return polled({ kind: "off", reason: tenantSuspended });
  const { poll } = row.settings;
  return poll === undefined
    ? polled({ kind: "gone" })
    : polled(await requestPage(deps, row, poll, pollRequest, carryOut));
}

async function findRow(deps: Deps, { tenant, trigger }: PollerName): Promise<StoredTrigger | null | "unknown"> {
  try {
    return await findHook(deps, tenant, trigger);
  } catch (cause) {
    deps.log({ level: "error", event: "trigger_not_read", tenant, trigger, message: String(cause) });
    return "unknown";
  }
}

async function requestPage(
  deps: Deps,
  row: StoredTrigger,
  poll: PollSettings,
  pollRequest: PollRequest,
  carryOut: ExecuteTicket,
): Promise<PollAnswer> {
  const { id, name, namespace, tenant } = row;
  const scope = { trigger: { id, name, namespace }, tenant: { id: tenant } };
  const rendered = render(poll.request as Json, scope); // The request is parsed JSON.
  if (!rendered.ok) return failure({ code: "template_failed", message: rendered.error.message });
  const request = withCursor(rendered.value as JsonObject, poll, pollRequest.cursor); // Rendering changes only values within the object.
  const page = pollRequest.cursor?.by === "url" ? pollRequest.cursor.at : null;
  const config = { request, page, etag: null, lastModified: null, ...pollRequest.validators };
  const outcome = await carryOut(ticketOf(deps, row, config));
  if (!outcome.ok) return failureOf(deps, outcome);
  const answer = outcome.result as unknown as Page; // The runner `page` returns a Page as its result.
  if (answer.status === 304) return { kind: "unchanged" };
  const read = readPage(poll, { ...answer, cursor: pollRequest.cursor });
  if (!read.ok) return failure(read.trouble);
  const { items, next, validators } = read.value;
  const validator = validators.etag ?? validators.lastModified ?? "";
  const pollItems = await Promise.all(items.map((item) => itemOf(item, poll.change, validator)));
  return { kind: "page", page: { items: pollItems, next, validators } };
}

type Page = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly data: Json;
  readonly url: string;
};

/** Adds the cursor to the query. If the cursor is the URL of the next page, the query stays unchanged. */
function withCursor(request: JsonObject, { paging }: PollSettings, cursor: PollCursor | null): JsonObject {
  const query = (request["query"] ?? {}) as JsonObject; // The query was checked to be an object when the trigger was written.
  if (paging?.by === "page" && cursor === null)
    return { ...request, query: { ...query, [paging.query]: paging.first } };
  if (paging === undefined || !("query" in paging) || cursor === null) return request;
  return { ...request, query: { ...query, [paging.query]: cursor.at } };
}

function ticketOf({ now }: Deps, { tenant, id, updatedAt }: StoredTrigger, config: JsonObject): Ticket {
  const [at, execution] = [now(), `trigger/${id}`];
  const named = { tenant, execution, run: "poll", attempt: 1, action: "poll", type: "page" };
  const idempotencyKey = `${execution}/${updatedAt}/${at}`;
  return {
    ...named,
    config,
    idempotencyKey,
    incarnation: at,
    timeoutMs: POLL_TIMEOUT_MS,
    deadlineAt: at + POLL_TIMEOUT_MS,
  };
}

/**
 * Builds an item with its id and its hash. The hash of its content is computed only if changed content counts as a new
 * item, or if the item has no id.
 */
async function itemOf(item: ReadItem, change: PollSettings["change"], validator: string): Promise<PollItem> {
  const { id, body } = item;
  if (change === "etag") return { id: "document", hash: validator, body };
  const hash =
    change === "hash" || id === null
      ? (await sha256(JSON.stringify(withSortedFields(body)))).slice(0, HASH_DIGITS)
      : "";
  if (id === null) return { id: `~${hash}`, hash, body, trouble: item.trouble };
  return { id: id.length > POLL_ID_CHARS_MAX ? `sha256:${await sha256(id)}` : id, hash, body };
}

const HASH_DIGITS = 40;

/** Sorts all fields by name, because a different order of fields does not count as a change. */
function withSortedFields(value: Json): Json {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((each: Json) => withSortedFields(each));
  const fields = Object.entries(value as JsonObject); // The checks above leave only objects.
  return Object.fromEntries(
    fields.sort(([one], [other]) => (one < other ? -1 : 1)).map(([k, v]) => [k, withSortedFields(v)]),
  );
}

function failureOf({ now }: Deps, { error, retryAfterMs, held }: Extract<Outcome, { ok: false }>): PollAnswer {
  const waitMs = held === undefined ? (retryAfterMs ?? null) : Math.max(0, held.until - now());
  const code = error.type === "unknown_error" ? (error.code ?? error.type) : error.type;
  const reason = { code, message: error.message.slice(0, POLL_REASON_CHARS_MAX) };
  return { kind: "failed", reason, isFinal: !error.retryable, retryAfterMs: waitMs };
}

function failure(reason: DeliveryFault): PollAnswer {
  return { kind: "failed", reason, isFinal: false, retryAfterMs: null };
}

const triggerUnavailable = {
  code: "unavailable",
  message: "the catalog does not answer, so the trigger cannot be looked up",
};
const changedMeanwhile = { code: "changed_meanwhile", message: "another request changed the trigger during the poll" };
const triggerDisabled = { code: "switched_off", message: "the trigger is disabled" };
const tenantSuspended = { code: "tenant_suspended", message: "the tenant is suspended" };
