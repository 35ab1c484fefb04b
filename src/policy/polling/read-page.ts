// Reads a page of a provider's list: its items with their ids, and the position of the next page. An operator reads the
// error messages.
import type { PollSettings } from "#schema/inbound/poll.ts";
import type { PollCursor, PollValidators } from "#schema/inbound/polling.ts";
import type { DeliveryFault } from "#schema/inbound/delivery.ts";
import type { Json } from "#schema/json.ts";
import { valueAt } from "#schema/provider/json-pointer.ts";
import { POLL_CURSOR_CHARS_MAX, POLL_ITEMS_PER_PAGE_MAX } from "#schema/limits/inbound/polling.ts";

export type PageAnswer = {
  /** The URL of the requested page. */
  readonly url: string;
  readonly cursor: PollCursor | null;
  readonly headers: { readonly [name: string]: string };
  readonly data: Json;
};
/** An item of the page. `id`: null if the item has no id that can be used; `trouble` contains the reason. */
export type ReadItem =
  | { readonly id: string; readonly body: Json }
  | { readonly id: null; readonly body: Json; readonly trouble: DeliveryFault };
export type ReadPage = {
  readonly items: readonly ReadItem[];
  readonly next: PollCursor | null;
  readonly validators: PollValidators;
};
type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly trouble: DeliveryFault };

/**
 * Reads a page according to the poller's settings. If the page does not fit the settings, returns an error that an
 * operator can correct.
 */
export function readPage(poll: PollSettings, answer: PageAnswer): Read<ReadPage> {
  const validators = { etag: answer.headers["etag"] ?? null, lastModified: answer.headers["last-modified"] ?? null };
  if (poll.change === "etag") return readWhole(poll, answer, validators);
  const list = valueAt(answer.data, poll.items);
  if (!isList(list)) return failure("items_missing", `items: the response has no list at ${quoted(poll.items)}`);
  if (list.length > POLL_ITEMS_PER_PAGE_MAX)
    return failure(
      "page_too_long",
      `a page of the response has ${list.length} items; the limit is ${POLL_ITEMS_PER_PAGE_MAX}: request fewer items per page`,
    );
  const items = list.map((body) => readItem(body, poll.id ?? ""));
  if (items.length > 0 && items.every(({ id }) => id === null))
    return failure("id_missing", `id: no item of the page has a usable id at ${quoted(poll.id ?? "")}`);
  const next = nextOf(poll, answer, items.length);
  return next.ok ? { ok: true, value: { items, next: next.value, validators } } : next;
}

/** Reads a response that is one item. Its validators (ETag, Last-Modified) show whether it has changed. */
function readWhole({ items }: PollSettings, { data }: PageAnswer, validators: PollValidators): Read<ReadPage> {
  const body = valueAt(data, items);
  if (body === undefined) return failure("items_missing", `items: the response has nothing at ${quoted(items)}`);
  if (validators.etag === null && validators.lastModified === null)
    return failure("validator_missing", "the response has neither an ETag nor a Last-Modified header");
  return { ok: true, value: { items: [{ id: "", body }], next: null, validators } };
}

function readItem(body: Json, path: string): ReadItem {
  const id = valueAt(body, path);
  if (typeof id === "string" && id !== "") return { id, body };
  if (typeof id === "number" && Number.isSafeInteger(id)) return { id: String(id), body };
  const trouble =
    typeof id === "number"
      ? {
          code: "id_not_exact",
          message: `the id of the item at ${quoted(path)} is a number that cannot be stored exactly`,
        }
      : { code: "id_missing", message: `the item has no id at ${quoted(path)}` };
  return { id: null, body, trouble };
}

/** Returns the position of the next page; null if this page is the last. */
function nextOf({ paging }: PollSettings, answer: PageAnswer, items: number): Read<PollCursor | null> {
  if (paging === undefined) return { ok: true, value: null };
  switch (paging.by) {
    case "link":
      return addressOf(nextLink(answer.headers["link"] ?? ""), answer.url);
    case "url": {
      const value = valueAt(answer.data, paging.path);
      return addressOf(typeof value === "string" && value !== "" ? value : null, answer.url);
    }
    case "cursor": {
      const value = valueAt(answer.data, paging.path);
      if (value === undefined || value === null || value === "" || value === false) return { ok: true, value: null };
      if (typeof value === "object" || value === true || String(value).length > POLL_CURSOR_CHARS_MAX)
        return failure("cursor_unreadable", `paging: the value at ${quoted(paging.path)} is not a cursor`);
      return { ok: true, value: { by: "value", at: String(value) } };
    }
    case "page": {
      const page = answer.cursor === null ? paging.first : Number(answer.cursor.at);
      return { ok: true, value: items === 0 ? null : { by: "value", at: String(page + 1) } };
    }
  }
}

/** Accepts a link to the next page only on the same host, because the request for it contains the credentials. */
function addressOf(next: string | null, url: string): Read<PollCursor | null> {
  if (next === null) return { ok: true, value: null };
  if (!URL.canParse(next, url) || next.length > POLL_CURSOR_CHARS_MAX)
    return failure("cursor_unreadable", "paging: the link to the next page is not a URL");
  const address = new URL(next, url);
  if (address.origin !== new URL(url).origin)
    return failure("next_page_other_host", `paging: the next page is at another host (${address.host})`);
  return { ok: true, value: { by: "url", at: address.href } };
}

/**
 * Finds the next page in a Link header (RFC 8288), such as <https://…?page=2>; rel="next", <…>; rel="last". A URL in it
 * may contain commas and semicolons.
 */
function nextLink(header: string): string | null {
  for (const [, address, params] of header.matchAll(/<([^<>]{0,4000})>([^<]{0,1000})/g)) {
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(String(params)) ?? [];
    if ((quoted ?? bare ?? "").toLowerCase().split(/\s+/).includes("next")) return String(address);
  }
  return null;
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function quoted(pointer: string): string {
  return pointer === "" ? 'its root ("")' : `"${pointer}"`;
}

function failure(code: string, message: string): { readonly ok: false; readonly trouble: DeliveryFault } {
  return { ok: false, trouble: { code, message } };
}
