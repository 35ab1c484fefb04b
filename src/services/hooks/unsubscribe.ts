// Unsubscriptions: applies a called unsubscribe link. The link itself is the permission, so no API key is necessary. The
// catalog is read only for links that this installation has made.
import {
  maskedAddress,
  unsubscribeMessage,
  type UnsubscribeClaim,
} from "#policy/inbound/callbacks/unsubscribe-claim.ts";
import { UNSUBSCRIBE_LINK_RATE, UNSUBSCRIBE_SENDER_RATE } from "#schema/limits/outgoing/unsubscribe-requests.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";
import { tenantSettingsOf } from "../quotas/tenant-settings.ts";
import { addSuppression } from "../suppressions/add-suppression.ts";
import { applyMessages } from "./apply-messages.ts";
import { checkRequestRate } from "./request-rate.ts";
import { openClaim } from "./unsubscribe-token.ts";

/** The result of opening a link. `limited`: the sender has used up its rate. `shownAddress`: the masked address. */
export type OpenedLink =
  | { readonly kind: "valid"; readonly claim: UnsubscribeClaim; readonly shownAddress: string }
  | { readonly kind: "invalid" | "limited" };

/** Opens the token of a link, without reading the catalog. */
export async function openLink(
  deps: Pick<Deps, "now" | "unsubscribeSecrets">,
  { token, sender }: { readonly token: string; readonly sender: string | null },
): Promise<OpenedLink> {
  if (checkRequestRate(deps, ["unsubscribe", sender], UNSUBSCRIBE_SENDER_RATE) !== null) return { kind: "limited" };
  const claim = await openClaim(await deps.unsubscribeSecrets(), token);
  if (claim === null) return { kind: "invalid" };
  return { kind: "valid", claim, shownAddress: maskedAddress(claim.address) };
}

/** `tenant`: the state of the tenant that sent the e-mail. */
export type UnsubscribeResult = { readonly tenant: "active" | "suspended" };

/**
 * Adds the address to the suppression list, and reports the unsubscription to the execution. A repeated call changes
 * nothing. The unsubscription is valid even if its execution cannot be reached or was deleted.
 */
export async function unsubscribe(deps: Deps, claim: UnsubscribeClaim): Promise<Result<UnsubscribeResult>> {
  const { tenant, channel, address, execution, run } = claim;
  const retryAfterS = checkRequestRate(deps, ["unsubscribe", tenant, execution, run], UNSUBSCRIBE_LINK_RATE);
  if (retryAfterS !== null)
    return refuse({ code: "rate_limited", message: "The link was called too often.", retryAfterS });
  const at = deps.now();
  try {
    const source = { execution, run, via: "link", at } as const;
    const added = await addSuppression(deps, tenant, { channel, address, reason: "unsubscribe", source });
    if (!added.ok) return added;
    await report(deps, claim, at);
    const { suspended } = await tenantSettingsOf(deps, tenant);
    return accept({ tenant: suspended === null ? "active" : "suspended" });
  } catch (cause) {
    deps.log({ level: "error", event: "unsubscription_not_stored", tenant, message: String(cause) });
    return refuse({ code: "unavailable", message: "The catalog does not answer, so the address is not unsubscribed." });
  }
}

/** Sends the event and stores the report. The address is suppressed already, so a failure is only logged. */
async function report(deps: Deps, claim: UnsubscribeClaim, at: number): Promise<void> {
  const { tenant, channel, execution, run } = claim;
  const source = { tenant, provider: "unsubscribe", actionType: channel, connection: null, isSameMessage: () => true };
  const failed = (reason: string) =>
    deps.log({ level: "warn", event: "unsubscription_not_reported", tenant, execution, run, reason });
  try {
    const [applied] = await applyMessages(deps, source, [unsubscribeMessage(claim, at)]);
    if (applied?.undecided != null) failed(applied.undecided.code);
  } catch (cause) {
    failed(String(cause));
  }
}
