// Provider messages: what the adapter of each provider reads from a verified callback.
import type { RunReference } from "#schema/outgoing/run-reference.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { toInstant } from "#schema/values.ts";
import { REPORT_TEXT_CHARS_MAX } from "#schema/limits/inbound/callbacks.ts";
import { MESSAGE_EXCERPT_CHARS_MAX } from "#schema/limits/outgoing/responses.ts";

export type ProviderMessage = {
  /** The id of the event, which begins with a reserved prefix. A repeated message has the same id. */
  readonly id: string;
  /** The event as the provider names it. */
  readonly named: string;
  /** The event of the engine; null if the engine does not use it. */
  readonly event: string | null;
  /** False: the execution receives no event, because another event has already reported the same. */
  readonly isSent: boolean;
  /** When it happened, in epoch ms; NaN if the message does not say. */
  readonly at: number;
  /** Null if the message names no run. `run` is null if it names only the execution. */
  readonly reference: (Omit<RunReference, "run"> & { readonly run: string | null }) | null;
  readonly messageId: string | null;
  readonly recipient: string | null;
  readonly code: string | null;
  readonly reason: string | null;
  /** The fields of the event's payload that only this kind of event has. */
  readonly details: JsonObject;
  /** True: `details` is the whole payload of the event. */
  readonly isWholePayload: boolean;
  /** Why no further message may be sent to the recipient; null if this report says nothing about it. */
  readonly suppression: "hard_bounce" | "complaint" | "unsubscribe" | null;
  /** Why the message cannot be used, although its provider and its form are correct; null if it can. */
  readonly fault: string | null;
};

/** Returns a text that is not empty, cut to the length of an excerpt; null for any other value. */
export function excerpt(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" ? value.slice(0, MESSAGE_EXCERPT_CHARS_MAX) : null;
}

/** Returns a text that is not empty and not longer than `charsMax`; null for any other value. */
export function shortText(value: Json | undefined, charsMax: number = REPORT_TEXT_CHARS_MAX): string | null {
  return typeof value === "string" && value !== "" && value.length <= charsMax ? value : null;
}

/** The attempt that sent the message. */
export type MessageOrigin = { readonly action: string; readonly run: string; readonly attempt: number };

/** Returns the payload of the event that the message becomes. */
export function payloadOf(message: ProviderMessage, { action, run, attempt }: MessageOrigin): JsonObject {
  const { details, isWholePayload, messageId, recipient, at, code, reason } = message;
  if (isWholePayload) return details;
  const about = { actionId: action, run, attempt, messageId, recipient, at: toInstant(at) };
  return { ...about, code, reason, ...details };
}
