// Reads CloudEvents 1.0 over HTTP: structured, in a batch, or binary (attributes in headers, data in the body). A
// mapping always receives the structured form.
import type { DeliveryFault } from "#schema/inbound/delivery.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { ENCODED_PIECE_BYTES } from "#schema/limits/inbound/deliveries.ts";
import { readBody, readJson } from "./body.ts";
import { joinBytes, textOf } from "./bytes.ts";
import { mediaType } from "./form.ts";
import { textField, type HookRequest } from "./scheme.ts";

export type ReadEvents =
  | { readonly kind: "events"; readonly events: readonly Json[]; readonly isBatch: boolean }
  /** The request has the form of a CloudEvent but is invalid, so its sender gets a refusal. */
  | { readonly kind: "broken"; readonly reason: DeliveryFault }
  | { readonly kind: "unsupported" };

const BATCH = "application/cloudevents-batch+json";
const STRUCTURED = "application/cloudevents+json";

/** Returns the events of a request. The media type decides in which form they are. */
export function readCloudEvents(request: HookRequest): ReadEvents {
  const type = mediaType(request);
  if (type !== BATCH && type !== STRUCTURED)
    return request.headers.has("ce-specversion") ? readBinary(request, type) : { kind: "unsupported" };
  const text = textOf(request.body);
  if (text === null) return invalidEvent("text_not_unicode", "the request body is not UTF-8");
  const read = readJson(text);
  if (read.kind === "unreadable") return { kind: "broken", reason: read.reason };
  if (type === STRUCTURED) return { kind: "events", events: [read.value], isBatch: false };
  const { value } = read;
  if (!Array.isArray(value)) return invalidEvent("not_a_cloud_event", "the body of a batch must be a list of events");
  return { kind: "events", events: value, isBatch: true };
}

/** Returns why the value is not a CloudEvent, such as a missing attribute; null if it is valid. */
export function eventTrouble(event: Json): DeliveryFault | null {
  const missing = ["specversion", "id", "source", "type"].filter((name) => textField(event, name) === null);
  if (missing.length > 0) {
    const message = `the CloudEvent lacks attributes, or they are not texts: ${missing.join(", ")}`;
    return { code: "not_a_cloud_event", message };
  }
  const version = String(textField(event, "specversion"));
  if (/^1\.\d+$/.test(version)) return null;
  const message = `the CloudEvent has the specversion ${version.slice(0, 20)}; the trigger accepts 1.x only`;
  return { code: "not_a_cloud_event", message };
}

/**
 * Returns the identity of an event: its source, with the id that is unique within the source. null if one of them is
 * missing.
 */
export function eventIdentity(event: Json): string | null {
  const [source, id] = [textField(event, "source"), textField(event, "id")];
  return source === null || id === null ? null : JSON.stringify([source, id]);
}

/** Returns the event whose attributes are headers. */
function readBinary(request: HookRequest, type: string): ReadEvents {
  const attributes: [string, Json][] = [];
  for (const [name, value] of request.headers) {
    if (!name.startsWith("ce-")) continue;
    const decoded = decodeHeader(value);
    if (decoded === null) return invalidEvent("text_not_unicode", `the header ${name} is not valid UTF-8`);
    attributes.push([name.slice("ce-".length), decoded]);
  }
  const data = binaryData(request, type);
  return { kind: "events", events: [Object.fromEntries([...attributes, ...Object.entries(data)])], isBatch: false };
}

function binaryData(request: HookRequest, type: string): JsonObject {
  if (request.body.byteLength === 0) return {};
  const contentType = type === "" ? {} : { datacontenttype: type };
  const read = readBody(request);
  if (read.kind === "read") return { ...contentType, data: read.value };
  return { ...contentType, data_base64: base64(request.body) };
}

/** Removes the quotes from the value of a header, and percent-decodes it. null if the result is not UTF-8. */
function decodeHeader(value: string): string | null {
  const bare = /^".*"$/s.test(value) ? value.slice(1, -1).replaceAll(/\\(.)/gs, "$1") : value;
  const pieces = bare.split(/%([0-9A-Fa-f]{2})/);
  return textOf(
    joinBytes(...pieces.map((piece, at) => (at % 2 === 0 ? piece : Uint8Array.of(Number.parseInt(piece, 16))))),
  );
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.byteLength; at += ENCODED_PIECE_BYTES)
    text += String.fromCharCode(...bytes.subarray(at, at + ENCODED_PIECE_BYTES));
  return btoa(text);
}

function invalidEvent(code: string, message: string): ReadEvents {
  return { kind: "broken", reason: { code, message } };
}

/** Answers a handshake request: which origin may send, and at which rate. null if the origin is not allowed. */
export function handshake(
  origin: string | null,
  settings: { readonly origins: readonly string[]; readonly ratePerMinute?: number | undefined } | undefined,
  perMinute: number,
): { readonly origin: string; readonly rate: number } | null {
  if (origin === null || settings === undefined) return null;
  const isAllowed = settings.origins.some((each) => each === "*" || each.toLowerCase() === origin.toLowerCase());
  return isAllowed ? { origin, rate: settings.ratePerMinute ?? perMinute } : null;
}
