// Pending transactions: the result of a transaction that was sent, or may have been sent. The call is never sent with
// another nonce, because both transactions could be mined. After a time limit the run fails, and an operator decides.
import type { SignedTx } from "#schema/signer.ts";
import { TX_MINED_WITHIN_MS, TX_UNSEEN_WITHIN_MS } from "#schema/limits/outgoing/blockchain.ts";
import type { Failure } from "../core/classify.ts";
import { isBelowBaseFee, tooLowOfferFailure } from "./fees.ts";
import { closeGap } from "./gap.ts";
import { maintainAddress } from "./maintain-address.ts";
import { failedWith, type TransactionResult, type WantedTransaction } from "./wanted-transaction.ts";

/** The result of a transaction that the node has and has not mined yet. */
export async function pendingResult(wanted: WantedTransaction, tx: SignedTx): Promise<TransactionResult> {
  const { key, signer, chain, rpc, now } = wanted;
  const {
    until,
    since,
    resend,
    gap,
    tend: isMaintenanceDue = false,
  } = await signer.wait({ key, blockMs: chain.blockMs });
  for (const raw of resend) await rpc("eth_sendRawTransaction", raw);
  if (isMaintenanceDue) await maintainAddress(wanted);
  else if (gap !== null) await closeGap(wanted, gap);
  const [hash = ""] = tx.hashes;
  if (now() - since < TX_MINED_WITHIN_MS) return { kind: "held", until, hash, nonce: tx.nonce, why: null };
  return failedWith(await notMinedFailure(wanted, tx, now() - since), hash);
}

/**
 * The result of a transaction that the node does not know. The run is held for at most `withinMs`. That time is shorter
 * if the node also refuses the transaction.
 */
export async function unseenResult(
  wanted: WantedTransaction,
  tx: SignedTx,
  { error, retryAfterMs = 0 }: Failure,
  withinMs = TX_UNSEEN_WITHIN_MS,
): Promise<TransactionResult> {
  const { key, signer, chain, now } = wanted;
  const { until, since } = await signer.wait({ key, blockMs: chain.blockMs, dark: true });
  const [hash = ""] = tx.hashes;
  const darkMs = now() - since;
  if (darkMs >= withinMs) return failedWith(notSeenFailure(wanted, tx, darkMs, error.message), hash);
  return { kind: "held", until: Math.max(until, now() + retryAfterMs), hash, nonce: tx.nonce, why: error.message };
}

/**
 * Returns true if a failed send may have reached the chain. A node that refuses the login, or a blocked URL, forwards
 * nothing.
 */
export function mayHaveArrived({ error }: Failure): boolean {
  return error.type !== "authentication_failed" && error.type !== "invalid_configuration";
}

async function notMinedFailure(wanted: WantedTransaction, tx: SignedTx, ms: number): Promise<Failure> {
  const sent = `${sentAs(tx)}, pending for ${minutes(ms)} and not mined`;
  if (await isBelowBaseFee(tx.fees, wanted.rpc)) {
    const failure = await tooLowOfferFailure(tx.fees, wanted.rpc, { by: `${sent}: it is stuck`, code: "stuck" });
    return { error: { ...failure.error, message: `${failure.error.message}. ${repairAdvice(wanted)}` } };
  }
  const message = `the transaction was ${sent}. ${repairAdvice(wanted)}`;
  return { error: { type: "network_congestion", message, retryable: true, code: "not_mined" } };
}

function notSeenFailure(wanted: WantedTransaction, tx: SignedTx, ms: number, why: string): Failure {
  const message = `the transaction was ${sentAs(tx)}, but has not appeared on the chain for ${minutes(ms)}: ${why}. ${repairAdvice(wanted)}`;
  return { error: { type: "effect_unknown", message, retryable: false, code: "not_seen" } };
}

/**
 * The failure of a transaction whose nonce was used long ago. Nodes may no longer know which transaction used the
 * nonce.
 */
export function lostNonceFailure(wanted: WantedTransaction, tx: SignedTx): Failure {
  const message = `the transaction was ${sentAs(tx)}; the nonce is used, but the node does not know by which transaction: a person must check whether it was mined. ${repairAdvice(wanted)}`;
  return { error: { type: "effect_unknown", message, retryable: false, code: "nonce_lost" } };
}

function sentAs({ hashes: [hash = ""], nonce }: SignedTx): string {
  return `sent as ${hash} with the nonce ${nonce}`;
}

function repairAdvice({ chain, from }: WantedTransaction): string {
  return `POST /v1/signers/${chain.id}/${from}/reconcile repairs the address (?dryRun=true only shows what it would do); a retry continues with the same transaction, never with a second one`;
}

function minutes(ms: number): string {
  return `${Math.round(ms / 60_000)} minutes`;
}
