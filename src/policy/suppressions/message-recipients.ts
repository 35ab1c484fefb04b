// Message recipients: reads from a rendered config to which addresses a message goes. Push messages are left out, because
// a push token authorizes sending.
import type { Json, JsonObject } from "#schema/json.ts";
import { RECIPIENTS_LISTED_MAX } from "#schema/limits/outgoing/suppression-sizes.ts";
import type { SuppressionChannel } from "#schema/outgoing/suppression.ts";
import { normalAddress } from "./normal-address.ts";

const FIELDS: {
  readonly [type: string]: { readonly channel: SuppressionChannel; readonly fields: readonly string[] };
} = {
  email: { channel: "email", fields: ["to", "recipient", "cc", "bcc"] },
  sms: { channel: "sms", fields: ["to", "phoneNumber"] },
};

/** Returns the addresses in their normal form, each once. Empty for other action types, and without a rendered config. */
export function messageRecipients(type: string, config: JsonObject | null): readonly string[] {
  const places = Object.hasOwn(FIELDS, type) ? FIELDS[type] : undefined;
  if (places === undefined || config === null) return [];
  const written = places.fields.flatMap((field) => addressesIn(config[field]));
  const addresses = written.flatMap((address) => normalAddress(places.channel, address) ?? []);
  return [...new Set(addresses)].slice(0, RECIPIENTS_LISTED_MAX);
}

/** A recipient is a text or an object with `email`; a field has one of them or a list. */
function addressesIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  if (value === undefined || value === null || typeof value !== "object") return [];
  if (isList(value)) return value.flatMap(addressesIn);
  const { email } = value;
  return typeof email === "string" ? [email] : [];
}

function isList(value: JsonObject | readonly Json[]): value is readonly Json[] {
  return Array.isArray(value);
}

/** Returns the normal form of a recipient in a query: an e-mail address or a phone number. Null if it is neither. */
export function recipientOf(text: string): string | null {
  return normalAddress("email", text) ?? normalAddress("sms", text);
}
