// Direct-call batches: the runs that start in one turn are sent to the runner in a few RPCs, because an RPC costs about
// as much as its payload. A run that was lost before, or that can be aborted, is sent in an RPC of its own.
import { DIRECT_CALLS_PER_INVOCATION_MAX } from "#schema/limits/run-attempts.ts";
import type { BatchedResults, Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";

/** The Worker's stateless runner entrypoint, as the object calls it. */
export type RunnerPort = {
  run(ticket: Ticket, untilCalledOff?: () => Promise<void>): Promise<Outcome>;
  runBatch(tickets: readonly Ticket[]): Promise<BatchedResults>;
};

/** Makes one direct call. Resolves with the run's outcome; rejects if the call is lost. */
type CallRunner = (ticket: Ticket, aborted: AbortSignal) => Promise<Outcome>;

type WaitingCall = {
  readonly ticket: Ticket;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (fault: unknown) => void;
};

export function openDirectCallBatches(runner: RunnerPort): CallRunner {
  let waiting: WaitingCall[] = [];

  const sendWaiting = (): void => {
    const calls = waiting;
    waiting = [];
    for (const batch of splitEvenly(calls)) {
      const [first] = batch;
      if (batch.length > 1) void sendBatch(batch);
      else if (first) runner.run(first.ticket).then(first.resolve, first.reject);
    }
  };

  /**
   * The runner returns completed calls in several answers: `more` requests the next answer, until all have completed.
   */
  const sendBatch = async (batch: readonly WaitingCall[]): Promise<void> => {
    const unanswered = new Set(batch);
    let answer: BatchedResults | null = null;
    try {
      answer = await runner.runBatch(batch.map(({ ticket }) => ticket));
      for (;;) {
        for (const completed of answer.landed) {
          const call = batch[completed.at];
          if (!call) continue;
          unanswered.delete(call);
          if ("outcome" in completed) call.resolve(completed.outcome);
          else call.reject(new Error(completed.lost));
        }
        if (!answer.more) return;
        const next = await answer.more();
        dispose(answer);
        answer = next;
      }
    } catch (fault) {
      for (const { reject } of unanswered) reject(fault);
    } finally {
      if (answer) dispose(answer);
    }
  };

  return (ticket, aborted) => {
    if (ticket.mayBeCalledOff) return runner.run(ticket, () => untilAborted(aborted));
    // A run that may be a repetition is sent alone, because it may have caused the crash that lost its batch.
    if (ticket.possiblyRepeated) return runner.run(ticket);
    return new Promise((resolve, reject) => {
      if (waiting.length === 0) queueMicrotask(sendWaiting);
      waiting.push({ ticket, resolve, reject });
    });
  };
}

function splitEvenly<Item>(all: readonly Item[]): readonly (readonly Item[])[] {
  const count = Math.ceil(all.length / DIRECT_CALLS_PER_INVOCATION_MAX);
  const startOf = (part: number): number => Math.ceil((part * all.length) / count);
  return Array.from({ length: count }, (_, part) => all.slice(startOf(part), startOf(part + 1)));
}

/** The platform keeps an RPC's invocation alive until the caller disposes its result. */
function dispose(answer: BatchedResults & Partial<Disposable>): void {
  answer[Symbol.dispose]?.();
}

/** RPC cannot carry an AbortSignal, but it can carry a function. The function that is sent returns this promise. */
function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
