// Signers in memory: the pure functions of the signer's object without its storage.
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
  renewNonce,
  reserveNonce,
  storeTransaction,
  waitForTransaction,
  type SignerState,
} from "#policy/gates/nonce.ts";
import type { Signer } from "#schema/signer.ts";

type Turn<Answer> = { readonly state: SignerState; readonly answer: Answer };

export function memorySigner(now: () => number): Signer & { readonly state: () => SignerState } {
  let state = newSigner;
  const turn = async <Answer>(step: (before: SignerState) => Turn<Answer>): Promise<Answer> => {
    const taken = step(state);
    state = JSON.parse(JSON.stringify(taken.state)) as SignerState; // as it comes back out of storage
    return taken.answer;
  };
  return {
    state: () => state,
    find: (ask) => turn((before) => findTransaction(before, ask, now())),
    reserve: (ask) => turn((before) => reserveNonce(before, ask, now())),
    store: (ask) => turn((before) => storeTransaction(before, ask, now())),
    wait: (ask) => turn((before) => waitForTransaction(before, ask, now())),
    renew: (ask) => turn((before) => renewNonce(before, ask, now())),
    releaseNonce: (key) => turn((before) => ({ state: releaseNonce(before, key), answer: undefined })),
    confirm: (key, receipt) => turn((before) => confirmTransaction(before, key, receipt, now())),
    fail: (key) => turn((before) => ({ state: failTransaction(before, key, now()), answer: undefined })),
    planMaintenance: (ask) =>
      ask.dryRun
        ? Promise.resolve(maintainSigner(state, ask, now()).answer)
        : turn((before) => maintainSigner(before, ask, now())),
    recordMined: (ask) =>
      ask.dryRun
        ? Promise.resolve(applyReceipts(state, ask, now()).answer)
        : turn((before) => applyReceipts(before, ask, now())),
    overview: async () => signerOverview(state),
  };
}
