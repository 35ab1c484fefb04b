// Advises on the transactions of a signer's address, the most urgent advice first. The list is empty if an operator
// need not act.
import type { SignerOverview } from "#schema/signer.ts";
import { TX_LATE_MS } from "#schema/limits/outgoing/blockchain.ts";

export function signerAdvice(signer: SignerOverview, now: number): readonly string[] {
  return [
    ...lostTransactions(signer),
    ...stuckNonce(signer),
    ...nonceGaps(signer),
    ...unreachable(signer),
    ...lateTransactions(signer, now),
  ];
}

const RECONCILE = "POST …/reconcile (with ?dryRun=true it changes nothing)";

function lostTransactions({ kept }: SignerOverview): string[] {
  return kept
    .filter(({ lostAt }) => lostAt !== null)
    .map(
      ({ nonce, key }) =>
        `A reorganisation removed the transaction of ${key}, and another transaction permanently has its nonce ${nonce}. Repeat the removed transaction manually if it is still needed. ${RECONCILE} removes it from this list.`,
    );
}

function stuckNonce({ stuck: at }: SignerOverview): string[] {
  if (at === null) return [];
  return [
    `The chain waits for nonce ${at.nonce}, and the engine has no transaction for it. The next waiting transaction fills the nonce with an empty transfer; ${RECONCILE} does so immediately.`,
  ];
}

function nonceGaps({ free, inFlight, kept }: SignerOverview): string[] {
  const highest = Math.max(-1, ...inFlight.map(({ nonce }) => nonce), ...kept.map(({ nonce }) => nonce));
  const below = free.filter((nonce) => nonce < highest);
  if (below.length === 0) return [];
  return [
    `No transaction has the nonce ${below.join(", ")}, so later transactions cannot be mined. The next transaction fills the nonce; ${RECONCILE} does so immediately.`,
  ];
}

function unreachable({ inFlight }: SignerOverview): string[] {
  const unseen = inFlight.filter(({ darkSince }) => darkSince !== null);
  if (unseen.length === 0) return [];
  return [
    `The node does not respond, so the engine cannot look up transactions in flight (number: ${unseen.length}). Nothing is lost. If this continues, set another rpcUrl on the connection.`,
  ];
}

function lateTransactions({ inFlight }: SignerOverview, now: number): string[] {
  const late = inFlight.filter(({ darkSince, signedAt }) => darkSince === null && now - signedAt >= TX_LATE_MS);
  if (late.length === 0) return [];
  return [
    `Some transactions in flight were signed long ago (number: ${late.length}, lowest nonce: ${late[0]?.nonce}). ${RECONCILE} sends them again. If the fee is too low, retry the run with a higher maxFeeCapGwei or gasPrice. The retry replaces the transaction.`,
  ];
}
