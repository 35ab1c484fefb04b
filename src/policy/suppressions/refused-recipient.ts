// Refused recipients: reads from the outcome of an attempt that the provider accepts no message for the recipient any
// more.
import type { Outcome } from "#schema/engine/outcome.ts";
import type { JsonObject } from "#schema/json.ts";
import type { SuppressionChannel, SuppressionReason } from "#schema/outgoing/suppression.ts";
import { textAt } from "#schema/provider/json-pointer.ts";

export type RefusedRecipient = {
  readonly channel: SuppressionChannel;
  readonly address: string;
  readonly reason: SuppressionReason;
};

/** Returns the recipient to suppress; null if the outcome says nothing about the recipient. */
export function refusedRecipient(type: string, config: JsonObject, outcome: Outcome): RefusedRecipient | null {
  const code = outcome.ok ? null : (outcome.error.code ?? null);
  if (type === "push" && code === "subscription_gone") {
    const address = addressIn(config, ["/subscription/endpoint", "/token"]);
    return address === null ? null : { channel: "push", address, reason: "gone" };
  }
  if (type !== "sms" || code !== "recipient_unsubscribed") return null;
  const address = addressIn(config, ["/to", "/phoneNumber"]);
  return address === null ? null : { channel: "sms", address, reason: "unsubscribe" };
}

function addressIn(config: JsonObject, pointers: readonly string[]): string | null {
  return pointers.map((pointer) => textAt(config, pointer)).find((found) => found !== null) ?? null;
}
