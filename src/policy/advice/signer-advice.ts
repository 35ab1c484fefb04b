// What somebody who looks at an address is told to do about it, most urgent first; nothing where all goes its way.
import type { SignerOverview } from "#schema/signer.ts";
import { TX_LATE_MS } from "#schema/limits/outgoing-calls.ts";

export function signerAdvice(signer: SignerOverview, now: number): readonly string[] {
  return [...lost(signer), ...stuck(signer), ...gaps(signer), ...dark(signer), ...late(signer, now)];
}

const RECONCILE = "POST …/reconcile (with ?dryRun=true it only says what it would do)";

function lost({ kept }: SignerOverview): string[] {
  return kept
    .filter(({ lostAt }) => lostAt !== null)
    .map(
      ({ nonce, key }) =>
        `Nonce ${nonce}: what ${key} did was taken back by a reorganisation, and another transaction has its nonce for good. ` +
        `Do it again by hand if it is still wanted; ${RECONCILE} takes it off this list.`,
    );
}

function stuck({ stuck: at }: SignerOverview): string[] {
  if (at === null) return [];
  return [
    `The chain waits for nonce ${at.nonce}, and nothing here can be sent under it. Whoever waits behind it fills it with a ` +
      `transfer of nothing; ${RECONCILE} does so at once.`,
  ];
}

function gaps({ free, inFlight, kept }: SignerOverview): string[] {
  const highest = Math.max(-1, ...inFlight.map(({ nonce }) => nonce), ...kept.map(({ nonce }) => nonce));
  const below = free.filter((nonce) => nonce < highest);
  if (below.length === 0) return [];
  return [
    `Nobody has nonce ${below.join(", ")}: what was sent above is mined only when something takes it. The next transaction ` +
      `does, and so do those that wait; ${RECONCILE} does so at once.`,
  ];
}

function dark({ inFlight }: SignerOverview): string[] {
  const unseen = inFlight.filter(({ darkSince }) => darkSince !== null);
  if (unseen.length === 0) return [];
  return [
    `${unseen.length} of those in flight cannot be looked up: the node does not answer. Nothing is lost by that; if it ` +
      "stays so, give the connection another rpcUrl.",
  ];
}

function late({ inFlight }: SignerOverview, now: number): string[] {
  const old = inFlight.filter(({ darkSince, signedAt }) => darkSince === null && now - signedAt >= TX_LATE_MS);
  if (old.length === 0) return [];
  return [
    `${old.length} of those in flight were signed long ago, the first under nonce ${old[0]?.nonce}. ${RECONCILE} sends them ` +
      "again; where the fee is too low, retry the run with a higher maxFeeCapGwei or gasPrice: it is replaced, not doubled.",
  ];
}
