// Signers without their objects: the same pure functions, kept in memory.
import { confirm, fail, judge, overview, maintain } from "#policy/gates/mined-transactions.ts";
import { find, releaseNonce, newSigner, renew, reserve, store, wait, type SignerState } from "#policy/gates/nonce.ts";
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
    find: (ask) => turn((before) => find(before, ask, now())),
    reserve: (ask) => turn((before) => reserve(before, ask, now())),
    store: (ask) => turn((before) => store(before, ask, now())),
    wait: (ask) => turn((before) => wait(before, ask, now())),
    renew: (ask) => turn((before) => renew(before, ask, now())),
    giveBack: (key) => turn((before) => ({ state: releaseNonce(before, key), answer: undefined })),
    confirm: (key, receipt) => turn((before) => confirm(before, key, receipt, now())),
    fail: (key) => turn((before) => ({ state: fail(before, key, now()), answer: undefined })),
    tend: (ask) =>
      ask.dryRun ? Promise.resolve(maintain(state, ask, now()).answer) : turn((before) => maintain(before, ask, now())),
    judge: (ask) =>
      ask.dryRun ? Promise.resolve(judge(state, ask, now()).answer) : turn((before) => judge(before, ask, now())),
    overview: async () => overview(state),
  };
}
