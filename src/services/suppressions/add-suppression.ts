// Suppression from a report: adds an address to a tenant's suppression list after a bounce, a complaint or an
// unsubscription. A repeated report changes nothing.
import { addReason } from "#catalog/suppressions/suppressed-addresses.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import type { SuppressionChannel, SuppressionReason, SuppressionSource } from "#schema/outgoing/suppression.ts";
import type { Deps } from "../deps.ts";
import { addressKey } from "./address-key.ts";

export type AddSuppression = {
  readonly channel: SuppressionChannel;
  readonly address: string;
  readonly reason: SuppressionReason;
  readonly source: SuppressionSource;
};

/** `isNew`: false if the address already had this reason. `address`: the form in which the list has the address. */
export type AddedSuppression = { readonly address: string; readonly isNew: boolean };

export async function addSuppression(
  { db, now }: Pick<Deps, "db" | "now">,
  tenant: string,
  { channel, address, reason, source }: AddSuppression,
): Promise<Result<AddedSuppression>> {
  const key = await addressKey(channel, address);
  if (key === null) return refuse(noAddress(channel));
  const isNew = await addReason(db, { tenant, channel, address: key, reason, source, now: now() });
  return accept({ address: key, isNew });
}

export function noAddress(channel: SuppressionChannel, pointer = "/address"): Refusal {
  const message = `must be ${expected[channel]}`;
  return {
    code: "invalid_input",
    message: `${pointer} ${message}.`,
    errors: [{ pointer, code: "invalid_address", message }],
  };
}

const expected: { readonly [channel in SuppressionChannel]: string } = {
  email: "an e-mail address such as ada@example.com",
  sms: "a phone number in E.164 form such as +14155550123",
  push: "the token of a device or the endpoint of a browser's subscription",
};
