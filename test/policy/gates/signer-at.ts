// Returns a signer with mined transactions that receives requests one after the other, at the given instants.
import {
  confirmTransaction,
  failTransaction,
  applyReceipts,
  signerOverview,
  maintainSigner,
} from "#policy/gates/mined-transactions.ts";
import {
  findTransaction,
  releaseNonce,
  newSigner,
  reserveNonce,
  storeTransaction,
  waitForTransaction,
  type SignerState,
} from "#policy/gates/nonce.ts";
import type { ChainCounts, TxReceipt } from "#schema/signer.ts";

const fees = { maxFeePerGas: "10", maxPriorityFeePerGas: "1" };
const blockMs = 2_000;
export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
export const receipt: TxReceipt = {
  transactionHash: "0xa",
  blockNumber: 7,
  gasUsed: "21000",
  effectiveGasPrice: "5",
  feeWei: "105000",
  tokenId: null,
};

export function signerAt(next: number | null = 0) {
  let state: SignerState = { ...newSigner, next };
  let now = 0;
  const taken = <Answer>(turn: { readonly state: SignerState; readonly answer: Answer }): Answer => {
    state = turn.state;
    return turn.answer;
  };
  const asked = (latest: number, more: Partial<ChainCounts> = {}): ChainCounts => {
    return { latest, pending: latest, final: null, byPerson: false, dryRun: false, ...more };
  };
  const self = {
    state: () => state,
    at: (instant: number) => {
      now = instant;
      return self;
    },
    reserve: (key: string, gap: number | null = null) =>
      taken(reserveNonce(state, { key, blockMs, chainNonce: null, gap }, now)),
    sign: (key: string, raw = `raw ${key}`, gap: number | null = null) => {
      const reserved = self.reserve(key, gap);
      if (reserved.kind !== "reserved") throw new Error(reserved.kind);
      taken(
        storeTransaction(
          state,
          { key, nonce: reserved.nonce, raw, hash: `0x${key}`, fees, gas: "21000", replaces: null },
          now,
        ),
      );
      return self;
    },
    find: (key: string) => taken(findTransaction(state, { key, blockMs }, now)),
    wait: (key: string) => taken(waitForTransaction(state, { key, blockMs }, now)),
    releaseNonce: (key: string) => void (state = releaseNonce(state, key)),
    confirm: (key: string) => taken(confirmTransaction(state, key, receipt, now)),
    fail: (key: string) => void (state = failTransaction(state, key, now)),
    mined: (...keys: string[]) => {
      for (const key of keys) self.sign(key).confirm(key);
      return self;
    },
    tend: (latest: number, more: Partial<ChainCounts> = {}) => taken(maintainSigner(state, asked(latest, more), now)),
    judge: (key: string, nonce: number, isMined: boolean, byPerson = false) =>
      taken(applyReceipts(state, { found: [{ key, nonce, isMined }], byPerson, dryRun: false }, now)),
    resent: (latest: number, more: Partial<ChainCounts> = {}) => self.tend(latest, more).resend.map(({ raw }) => raw),
    kept: () => signerOverview(state).kept.map(({ nonce }) => nonce),
  };
  return self;
}
