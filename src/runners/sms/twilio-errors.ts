// Twilio errors: the meanings of its error codes, which refusals and message resources share.
import type { Json } from "#schema/json.ts";
import { meaningFrom, type ErrorMeanings, type Meaning } from "../core/refine-refusal.ts";

const number = ["invalid_configuration", false, "invalid_number"] as const;
const sender = ["invalid_configuration", false, "invalid_sender"] as const;
const stopped = ["recipient_unsubscribed", false, "recipient_unsubscribed"] as const;
const busy = ["rate_limit", true, "too_many_messages"] as const;

const media = ["invalid_configuration", false, "media_refused"] as const;
const contents = ["invalid_configuration", false, "content_variables_refused"] as const;

const MEANINGS: ErrorMeanings = {
  20003: ["authentication_failed", false, "authentication_failed"],
  20005: ["authorization_failed", false, "account_suspended"],
  20429: ["rate_limit", true, "too_many_requests"],
  21211: number,
  21217: number,
  21614: number,
  21212: sender,
  21603: sender,
  21606: sender,
  21659: sender,
  21660: sender,
  21661: sender,
  21703: sender,
  21408: ["authorization_failed", false, "region_not_enabled"],
  21608: ["authorization_failed", false, "number_not_verified"],
  21610: stopped,
  21611: busy,
  21612: ["invalid_configuration", false, "no_route"],
  21602: ["malformed_request", false, "message_empty"],
  21619: ["malformed_request", false, "message_empty"],
  21605: ["malformed_request", false, "message_too_long"],
  21617: ["malformed_request", false, "message_too_long"],
  21658: ["malformed_request", false, "message_too_long"],
  21620: media,
  21623: media,
  21655: ["invalid_configuration", false, "content_template_unknown"],
  21656: contents,
  92007: contents,
  63028: contents,
  35114: ["invalid_configuration", false, "send_at_out_of_range"],
  63003: number,
  63024: number,
  63007: sender,
  63015: ["authorization_failed", false, "number_not_verified"],
  63016: ["malformed_request", false, "outside_messaging_window"],
  63018: busy,
  63019: media,
  63038: ["rate_limit", false, "daily_cap_reached"],
  30001: busy,
  30002: ["authorization_failed", false, "account_suspended"],
  30003: ["service_unavailable", true, "handset_unreachable"],
  30004: stopped,
  30005: ["invalid_configuration", false, "unknown_number"],
  30006: ["invalid_configuration", false, "landline_or_unreachable"],
  30007: ["malformed_request", false, "filtered_by_carrier"],
  30008: ["service_unavailable", true, "unknown_delivery_error"],
  30022: busy,
  30023: ["rate_limit", false, "daily_cap_reached"],
  30034: ["authorization_failed", false, "number_not_registered"],
};

/**
 * Returns the meaning of an error code. An unknown code has the meaning of the HTTP status, and the error still
 * contains the code.
 */
export function smsMeaning(code: Json | undefined): Meaning {
  if (typeof code !== "number") return {};
  return { code: `twilio_${code}`, ...meaningFrom(MEANINGS, String(code)) };
}
