// Method results: check that a method returned JSON of a limited size, and select the part that is stored. A part of the
// worker runner.
import type { Json } from "#schema/json.ts";
import { RESPONSE_BYTES_KEPT } from "#schema/limits/outgoing/responses.ts";
import {
  WORKER_RESULT_CHARS_MAX,
  WORKER_RESULT_DEPTH_MAX,
  WORKER_RESULT_VALUES_MAX,
} from "#schema/limits/outgoing/worker-calls.ts";
import { utf8 } from "../core/bytes.ts";
import type { Failure } from "../core/classify.ts";

export type MethodResult =
  | { readonly ok: true; readonly result: Json }
  | { readonly ok: false; readonly failure: Failure };

/** The unused part of the limits of one result. */
type Room = { chars: number; values: number };

/** Returns the storable result. `target` names the method in errors. */
export function readResult(value: unknown, target: string): MethodResult {
  if (value === undefined) return { ok: true, result: null };
  const room = { chars: WORKER_RESULT_CHARS_MAX, values: WORKER_RESULT_VALUES_MAX };
  const foreign = findForeign(value, "", room);
  if (room.chars < 0 || room.values < 0) return { ok: false, failure: tooLarge(target) };
  if (foreign !== null) return { ok: false, failure: notJson(target, foreign) };
  return { ok: true, result: storedResult(JSON.stringify(value)) };
}

/**
 * Returns the first part of the value that is not JSON, in words; null if there is none. Fields without a value are
 * JSON, because JSON leaves them out. The search ends where the room is used up.
 */
function findForeign(value: unknown, pointer: string, room: Room): string | null {
  room.values -= 1;
  if (typeof value === "string") room.chars -= value.length;
  if (room.chars < 0 || room.values < 0) return null;
  if (value === null || typeof value === "string" || typeof value === "boolean") return null;
  if (typeof value === "number") return Number.isFinite(value) ? null : `${value} at ${pointer || "/"}`;
  if (typeof value !== "object" || !(Array.isArray(value) || isPlain(value))) return foreignWords(value, pointer);
  if (pointer.split("/").length > WORKER_RESULT_DEPTH_MAX) return `more than ${WORKER_RESULT_DEPTH_MAX} levels`;
  for (const [name, item] of Object.entries(value)) {
    room.chars -= name.length;
    const isLeftOut = item === undefined && !Array.isArray(value);
    const foreign = isLeftOut ? null : findForeign(item, `${pointer}/${name.slice(0, 100)}`, room);
    if (foreign !== null) return foreign;
  }
  return null;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function foreignWords(value: unknown, pointer: string): string {
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  return `${kind === "JsRpcStub" ? "a stub (function or RpcTarget)" : `a value of the type ${kind}`} at ${pointer || "/"}`;
}

/** Returns the result, or the beginning of its JSON text if it is longer than the stored part of a response. */
function storedResult(text: string): Json {
  if (utf8(text).byteLength <= RESPONSE_BYTES_KEPT) return JSON.parse(text) as Json; // JSON.parse returns only JSON
  const bytes = new Uint8Array(RESPONSE_BYTES_KEPT);
  return { truncated: true, body: text.slice(0, new TextEncoder().encodeInto(text, bytes).read) };
}

function notJson(target: string, foreign: string): Failure {
  const message = `${target} returned ${foreign}, which is not JSON`;
  return { error: { type: "unknown_error", message, retryable: false, code: "result_not_json", effect: "unknown" } };
}

function tooLarge(target: string): Failure {
  const message = `${target} returned more than ${WORKER_RESULT_CHARS_MAX} characters or ${WORKER_RESULT_VALUES_MAX} values`;
  return { error: { type: "unknown_error", message, retryable: false, code: "result_too_large", effect: "unknown" } };
}
