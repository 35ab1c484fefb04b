// Faults of a simulated world until the calm phase: calls that are lost or made twice, messages that a queue loses or
// doubles.
import type { Chance } from "./chance.ts";

export type Rough = {
  /** Always false in the calm phase. */
  readonly strikes: (probability: number) => boolean;
  /** How often a queue delivers a message. */
  readonly copies: (rates: { readonly lost: number; readonly doubled: number }) => number;
  /** A call over the network. If the request is lost it has no effect; if the response is lost it has. */
  readonly call: <T>(work: () => Promise<T>, rates: CallRates) => Promise<T>;
};
export type CallRates = {
  readonly lost: number;
  /** The probability that the call is made twice; the first response reaches no caller. */
  readonly doubled?: number;
  readonly answerLost: number;
  /** Runs between the effect and the response. */
  readonly between?: () => void | Promise<void>;
};

export function openRough(chance: Chance, isCalm: () => boolean): Rough {
  const strikes = (probability: number): boolean => !isCalm() && chance.yes(probability);
  return {
    strikes,
    copies: ({ lost, doubled }) => {
      if (strikes(lost)) return 0;
      return strikes(doubled) ? 2 : 1;
    },
    call: async (work, { lost, doubled = 0, answerLost, between }) => {
      if (strikes(lost)) throw lostCall("the request was lost");
      if (doubled > 0 && strikes(doubled)) void work().catch(() => {});
      const answer = await work();
      await between?.();
      if (strikes(answerLost)) throw lostCall("the answer was lost");
      return answer;
    },
  };
}

/** The error that the platform reports. */
function lostCall(message: string): Error {
  return Object.assign(new Error(message), { retryable: true });
}
