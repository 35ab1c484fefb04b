// Push receipts: addresses by which a device reports that a push message has arrived or was opened. An address is valid
// for one run of one tenant, for a limited time, and only for these reports.
import { isEqual, utf8 } from "#policy/inbound/bytes.ts";
import type { ProviderMessage } from "#policy/inbound/callbacks/provider-message.ts";
import {
  parseReceiptToken,
  receiptText,
  receiptToken,
  type ReceiptClaim,
} from "#policy/inbound/callbacks/receipt-token.ts";
import { RECEIPT_RATE, RECEIPT_VALID_MS } from "#schema/limits/inbound/callbacks.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";
import { applyMessages, type AppliedMessage } from "./apply-messages.ts";
import { checkRequestRate } from "./request-rate.ts";

export const receiptEvents = ["received", "opened"] as const;
export type ReceiptEvent = (typeof receiptEvents)[number];

type TokenDeps = Pick<Deps, "hookTokenSecrets" | "now">;

/** Returns the address for the run's message; null if the installation has no signing key or no public address. */
export async function makeReceiptUrl(
  deps: TokenDeps & Pick<Deps, "installation">,
  { tenant, execution, run, attempt }: Ticket,
): Promise<string | null> {
  const { publicUrl } = deps.installation;
  const [secret] = await deps.hookTokenSecrets();
  if (publicUrl === null || secret === undefined) return null;
  const claim = { tenant, execution, run, attempt, until: deps.now() + RECEIPT_VALID_MS };
  const token = receiptToken(claim, await proofOf(secret, claim));
  return `${publicUrl.replace(/\/+$/, "")}/v1/receipts/${token}`;
}

/** Returns null if the sender has not used up its rate; otherwise returns the refusal. */
export function admitReceipt(deps: Pick<Deps, "now">, sender: string | null): Refusal | null {
  const retryAfterS = checkRequestRate(deps, ["receipt", sender], RECEIPT_RATE);
  if (retryAfterS === null) return null;
  const { perMinute, burst } = RECEIPT_RATE;
  return {
    code: "rate_limited",
    message: `One calling address may send ${perMinute} receipts per minute, and ${burst} in one burst.`,
    hint: "Send the receipt again after the time in Retry-After.",
    details: { perMinute, burst, retryAfterS },
    retryAfterS,
  };
}

/** Applies the report of a device to the run that the token names. A repeated report changes nothing. */
export async function receiveReceipt(
  deps: Deps,
  { token, event }: { readonly token: string; readonly event: ReceiptEvent },
): Promise<Result<AppliedMessage>> {
  const claim = await readReceipt(deps, token);
  if (claim === null) return refuse(notValid);
  const source = { tenant: claim.tenant, provider: "receipt", actionType: "push", connection: null } as const;
  try {
    const message = messageOf(claim, event, deps.now());
    const [applied] = await applyMessages(deps, { ...source, isSameMessage: () => true }, [message]);
    if (applied === undefined) return refuse(notApplied);
    return applied.undecided === null ? accept(applied) : refuse(applied.undecided);
  } catch (cause) {
    deps.log({ level: "error", event: "receipt_not_applied", tenant: claim.tenant, message: String(cause) });
    return refuse(notApplied);
  }
}

/** Returns the claim of a token that this installation has issued and that has not expired; otherwise null. */
async function readReceipt(deps: TokenDeps, token: string): Promise<ReceiptClaim | null> {
  const parsed = parseReceiptToken(token);
  if (parsed === null) return null;
  const secrets = await deps.hookTokenSecrets();
  const proofs = await Promise.all(secrets.map((secret) => proofOf(secret, parsed.claim)));
  const isIssued = proofs.filter((proof) => isEqual(proof, parsed.proof)).length > 0;
  return isIssued && deps.now() < parsed.claim.until ? parsed.claim : null;
}

function messageOf({ execution, run, attempt }: ReceiptClaim, event: ReceiptEvent, at: number): ProviderMessage {
  return {
    id: `report/receipt/${run}/${attempt}/${event}`,
    named: event,
    event: `push_${event}`,
    isSent: true,
    at,
    reference: { execution, run, attempt },
    messageId: null,
    recipient: null,
    code: null,
    reason: null,
    details: {},
    isWholePayload: false,
    suppression: null,
    fault: null,
  };
}

async function proofOf(secret: string, claim: ReceiptClaim): Promise<Uint8Array> {
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", utf8(secret), hmac, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8(receiptText(claim))));
}

const notValid = {
  code: "unauthenticated",
  message: "Authentication failed: the address of the receipt is not valid, or it has expired.",
  hint: "Use the complete address in the push message.",
} as const;

const notApplied = {
  code: "unavailable",
  message: "The catalog does not answer, so the receipt cannot be applied.",
  hint: "Send the same receipt again.",
} as const;
