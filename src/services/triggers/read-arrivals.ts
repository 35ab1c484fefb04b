// Arrivals: reads the deliveries in a verified request. Each has its id, the part of the request that is stored, and
// the result of its mapping.
import { eventIdentity, eventTrouble, readCloudEvents } from "#policy/inbound/cloud-events.ts";
import { readBody } from "#policy/inbound/body.ts";
import { fieldsOf } from "#policy/inbound/form.ts";
import { keptHeaders } from "#policy/inbound/kept-headers.ts";
import { schemes } from "#policy/inbound/registry.ts";
import { fieldOf, header, type HookRequest } from "#policy/inbound/scheme.ts";
import { openWork } from "#kernel/computing/work.ts";
import type { StoredTrigger } from "#catalog/triggers.ts";
import { timeOrderedId } from "#schema/ids.ts";
import type { Arrival, StoredRequest, DeliveryFault } from "#schema/inbound/delivery.ts";
import { lossIn } from "#schema/inbound/json-losses.ts";
import type { Json } from "#schema/json.ts";
import {
  DELIVERIES_AT_ONCE,
  DELIVERIES_PER_REQUEST_MAX,
  DELIVERY_ID_CHARS_MAX,
  STORED_REQUESTS_BYTES_MAX,
  STORED_REQUEST_BYTES_MAX,
} from "#schema/limits/inbound/deliveries.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";
import { openDefinitions } from "../definitions/find-definition.ts";
import type { PlanDeps } from "../executions/plan-start.ts";
import { sha256 } from "../hash.ts";
import { mapDelivery } from "./map-delivery.ts";

export type ReadArrivals =
  | { readonly kind: "arrivals"; readonly arrivals: readonly Arrival[] }
  /** The answer to a request that only checks the URL and contains no delivery. */
  | { readonly kind: "echo"; readonly body: Json }
  | { readonly kind: "unsupported" };

type Item = {
  readonly body: Json;
  readonly id: string | null;
  readonly unreadable?: DeliveryFault;
  readonly json?: string;
};

export async function readArrivals(
  deps: PlanDeps & Pick<Deps, "yieldToOthers">,
  row: StoredTrigger,
  request: HookRequest,
): Promise<Result<ReadArrivals>> {
  const read = row.settings.cloudEvents === undefined ? readItems(row, request) : readEvents(row, request);
  if (read.kind === "refused") return refuse(read.refusal);
  if (read.kind !== "items") return accept(read);
  const among = { work: openWork(), find: openDefinitions(deps, row.tenant) };
  const shared = sharedFields(deps, row, request);
  const sharedBytes = bytesOf(shared);
  let keptBytes = 0;
  const arrivals: Arrival[] = [];
  for (const [n, item] of read.items.entries()) {
    if (n > 0 && n % DELIVERIES_AT_ONCE === 0) await deps.yieldToOthers();
    const stored = await storedRequest(shared, item);
    const bytes = sharedBytes + bytesOf(item.body);
    keptBytes += bytes;
    if (bytes > STORED_REQUEST_BYTES_MAX) return refuse(tooLarge("A delivery", bytes, STORED_REQUEST_BYTES_MAX));
    if (keptBytes > STORED_REQUESTS_BYTES_MAX) return refuse(tooLarge("All", keptBytes, STORED_REQUESTS_BYTES_MAX));
    const mapped = await mapDelivery(deps, row, stored, null, among);
    // The delivery cannot be mapped now. After this refusal its sender sends it again.
    if (!mapped.ok) return mapped;
    arrivals.push({ identity: identityOf(deps, stored), request: stored, ...mapped.value });
  }
  return accept({ kind: "arrivals", arrivals });
}

/** The fields that all deliveries of one request share. */
type Shared = Pick<StoredRequest, "method" | "query" | "headers" | "receivedAt">;

type ReadItems =
  | { readonly kind: "items"; readonly items: readonly Item[] }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | Exclude<ReadArrivals, { kind: "arrivals" }>;

/**
 * Returns the id by which the trigger detects repeats of a delivery. If the sender gave no id, a unique one is made, so
 * no repeat is detected.
 */
function identityOf({ now, randomBytes }: PlanDeps, { deliveryId }: StoredRequest): string {
  return deliveryId === null ? `~${timeOrderedId("evt", now(), randomBytes(10))}` : `=${deliveryId}`;
}

/** These schemes may send their JSON in a form field. */
const FORM_FIELD: { readonly [scheme: string]: string } = { github: "payload", slack: "payload" };

function readItems({ settings }: StoredTrigger, request: HookRequest): ReadItems {
  const scheme = schemes[settings.verify.scheme];
  const read = readBody(request, FORM_FIELD[settings.verify.scheme] ?? null);
  if (read.kind === "unsupported") return read;
  if (read.kind === "unreadable") {
    const id = configuredId(settings, request, null) ?? scheme.deliveryId(request, null);
    return { kind: "items", items: [{ body: read.text, id, unreadable: read.reason }] };
  }
  const { value, json } = read;
  const echo = scheme.echo?.(value) ?? null;
  if (echo !== null) return { kind: "echo", body: echo };
  const id = (body: Json): string | null => configuredId(settings, request, body) ?? scheme.deliveryId(request, body);
  const items = scheme.items?.(value) ?? null;
  if (items !== null && items.length > DELIVERIES_PER_REQUEST_MAX) return tooMany(items.length);
  const whole = { body: value, id: id(value), ...(json === undefined ? {} : { json }) };
  return { kind: "items", items: items?.map((body) => ({ body, id: id(body) })) ?? [whole] };
}

function readEvents({ settings }: StoredTrigger, request: HookRequest): ReadItems {
  const read = readCloudEvents(request);
  if (read.kind === "unsupported") return read;
  if (read.kind === "broken") return { kind: "refused", refusal: notAnEvent(read.reason) };
  if (read.events.length > DELIVERIES_PER_REQUEST_MAX) return tooMany(read.events.length);
  const items: Item[] = [];
  for (const event of read.events) {
    const trouble = eventTrouble(event);
    // An invalid event of a batch must not stop the other events. The sender of a single one gets a refusal.
    if (trouble !== null && !read.isBatch) return { kind: "refused", refusal: notAnEvent(trouble) };
    const id = configuredId(settings, request, event) ?? eventIdentity(event);
    items.push({ body: event, id, ...(trouble === null ? {} : { unreadable: trouble }) });
  }
  return { kind: "items", items };
}

/**
 * Returns the delivery's id from the header or body field that the trigger's settings name. Returns null if it is
 * absent.
 */
function configuredId({ deliveryId }: StoredTrigger["settings"], request: HookRequest, body: Json): string | null {
  if (deliveryId === undefined) return null;
  if ("header" in deliveryId) return header(request, deliveryId.header) || null;
  const [, ...names] = deliveryId.path.split(".");
  const found = names.reduce<Json | undefined>((value, name) => fieldOf(value, name), body);
  return typeof found === "number" || (typeof found === "string" && found !== "") ? String(found) : null;
}

function sharedFields({ now }: PlanDeps, { settings }: StoredTrigger, request: HookRequest): Shared {
  return {
    method: request.method,
    query: fieldsOf(new URL(request.url).searchParams),
    headers: keptHeaders(request.headers, settings.verify),
    receivedAt: new Date(now()).toISOString(),
  };
}

async function storedRequest(shared: Shared, item: Item): Promise<StoredRequest> {
  const lossyNumber = item.json === undefined ? null : lossIn(item.json);
  const isLong = item.id !== null && item.id.length > DELIVERY_ID_CHARS_MAX;
  return {
    ...shared,
    body: item.body,
    deliveryId: isLong ? `sha256:${await sha256(item.id ?? "")}` : item.id,
    ...(item.unreadable === undefined ? {} : { unreadable: item.unreadable }),
    ...(lossyNumber === null ? {} : { loss: lossyNumber }),
  };
}

function bytesOf(stored: Json | Shared): number {
  return new TextEncoder().encode(JSON.stringify(stored)).byteLength;
}

function notAnEvent({ code, message }: DeliveryFault): Refusal {
  const errors = [{ pointer: "", code, message }];
  return { code: "invalid_input", message: `This is not a CloudEvent: ${message}.`, errors };
}

function tooMany(size: number): ReadItems {
  const limit = DELIVERIES_PER_REQUEST_MAX;
  const message = `The request contains ${size} deliveries; the limit is ${limit}.`;
  return { kind: "refused", refusal: { code: "body_too_large", message, details: { field: "body", size, limit } } };
}

function tooLarge(what: string, size: number, limit: number): Refusal {
  const message = `${what} of this request has ${size} bytes as JSON, including the headers; the limit is ${limit}.`;
  return { code: "body_too_large", message, details: { field: "body", size, limit } };
}
