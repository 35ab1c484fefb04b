// Unsubscribe claims: what the token of an unsubscribe link contains. It names no attempt and no time, so that all
// attempts of a run send the same link. src/services/hooks/unsubscribe-token.ts encrypts it.
import { suppressionChannels, type SuppressionChannel } from "#schema/outgoing/suppression.ts";
import { readJson } from "../body.ts";
import type { ProviderMessage } from "./provider-message.ts";

export type UnsubscribeClaim = {
  readonly tenant: string;
  readonly channel: SuppressionChannel;
  /** The address in the form of the suppression list. */
  readonly address: string;
  readonly execution: string;
  readonly run: string;
};

/** The format must never change, because messages with links are read for years. */
export function claimText({ tenant, channel, address, execution, run }: UnsubscribeClaim): string {
  return JSON.stringify([tenant, channel, address, execution, run]);
}

/** Parses a decrypted claim; null for any other text. */
export function parseClaim(text: string): UnsubscribeClaim | null {
  const read = readJson(text);
  const values =
    read.kind === "read" && Array.isArray(read.value) ? read.value.filter((each) => typeof each === "string") : [];
  const [tenant, written, address, execution, run] = values;
  const channel = suppressionChannels.find((each) => each === written);
  if (tenant === undefined || channel === undefined || address === undefined) return null;
  return execution === undefined || run === undefined ? null : { tenant, channel, address, execution, run };
}

/** Returns the report that a called link becomes. A repeated call is the same report. */
export function unsubscribeMessage(
  { channel, address, execution, run }: UnsubscribeClaim,
  at: number,
): ProviderMessage {
  return {
    id: `report/unsubscribe/${run}`,
    named: "unsubscribe",
    event: `${channel}_unsubscribed`,
    isSent: true,
    at,
    reference: { execution, run, attempt: null },
    messageId: null,
    recipient: address,
    code: null,
    reason: null,
    details: {},
    isWholePayload: false,
    // The service adds the suppression itself, because it must not depend on the run.
    suppression: null,
    fault: null,
  };
}

/** Returns the address as the page shows it. The link may have been forwarded, so most of the name is left out. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf("@");
  return at < 1 ? "***" : `${address.slice(0, 1)}***${address.slice(at)}`;
}
