// Signers as API objects. Transactions are shown with their hashes, without the signed bytes.
import type { MaintainAddressAnswer, OwnTx, SignerOverview } from "#schema/signer.ts";
import { toInstant } from "#schema/values.ts";
import type { ApiReconciledSigner, ApiSigner } from "./shape.ts";

type View = {
  readonly chainId: number;
  readonly address: string;
  readonly signer: SignerOverview;
  readonly advice: readonly string[];
};

export function presentSigner({ chainId, address, signer, advice }: View): ApiSigner {
  const { next, free, reserved, inFlight, kept, seen, stuck } = signer;
  return {
    chainId,
    address,
    nextNonce: next,
    inFlight: inFlight.map(({ signedAt, sentAt, darkSince, ...tx }) => ({
      ...own(tx),
      hashes: [...tx.hashes],
      signedAt: toInstant(signedAt),
      sentAt: toInstant(sentAt),
      unseenSince: toInstant(darkSince),
    })),
    reserved: reserved.map(({ nonce, key, since }) => ({ nonce, key, since: toInstant(since) })),
    gaps: [...free],
    kept: { count: kept.length, from: kept.at(0)?.nonce ?? null, to: kept.at(-1)?.nonce ?? null },
    lost: kept.flatMap(({ lostAt, ...tx }) => (lostAt === null ? [] : [{ ...own(tx), since: toInstant(lostAt) }])),
    waitsFor: stuck === null ? null : { nonce: stuck.nonce, since: toInstant(stuck.since) },
    chain: seen === null ? null : { ...counts(seen), at: toInstant(seen.at) },
    advice: [...advice],
  };
}

export function presentReconciled({
  done,
  dryRun,
  ...view
}: View & {
  readonly done: Extract<MaintainAddressAnswer, { readonly ok: true }>;
  readonly dryRun: boolean;
}): ApiReconciledSigner {
  return {
    dryRun,
    chain: counts(done.chain),
    resent: done.resend.map(own),
    released: [...done.released],
    closed: done.gap?.nonce ?? null,
    mined: done.mined.map(own),
    lost: done.lost.map(own),
    signer: presentSigner(view),
  };
}

function own({ nonce, key, hashes }: OwnTx) {
  return { nonce, key, hash: hashes[0] ?? "" };
}

function counts({
  latest,
  pending,
  final,
}: {
  readonly latest: number;
  readonly pending: number;
  readonly final: number | null;
}) {
  return { mined: latest, pending, final };
}
