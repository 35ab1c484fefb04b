// Item answers: one answer for each item of a list call. An item that failed unexpectedly gets a refusal in its place
// and a log line; its neighbors are committed and get their own answers.
import { refuse, type Result } from "#schema/refusal.ts";
import { FAILED_ITEMS_LOGGED_MAX } from "#schema/limits/due-work.ts";
import type { Ports } from "./ports.ts";

type Logging = Pick<Ports, "log">;

export async function answersOf<T>(
  { log }: Logging,
  executions: readonly string[],
  answers: readonly Promise<Result<T>>[],
): Promise<readonly Result<T>[]> {
  const failed = new Map<unknown, string[]>();
  const settled = (await Promise.allSettled(answers)).map((answer, at) => {
    if (answer.status === "fulfilled") return answer.value;
    const execution = executions[at] ?? "";
    failed.set(answer.reason, [...(failed.get(answer.reason) ?? []), execution]);
    return refuse(ourMistake(execution));
  });
  // A failed commit is one fault for every item of its turn.
  for (const [fault, those] of failed) logFailed(log, fault, those);
  return settled;
}

/** The same for a synchronous answer. */
export function answerOf<T>({ log }: Logging, execution: string, work: () => Result<T>): Result<T> {
  try {
    return work();
  } catch (fault) {
    logFailed(log, fault, [execution]);
    return refuse(ourMistake(execution));
  }
}

function logFailed(log: Ports["log"], fault: unknown, executions: readonly string[]): void {
  log({
    level: "error",
    event: "item_failed",
    count: executions.length,
    executions: executions.slice(0, FAILED_ITEMS_LOGGED_MAX),
    message: String(fault),
    stack: fault instanceof Error ? (fault.stack ?? null) : null,
  });
}

function ourMistake(execution: string) {
  return {
    code: "internal_error",
    message: `An internal error occurred for execution ${execution}; nothing of this request was stored.`,
    hint: "Send the same request again with the same Idempotency-Key. The log line item_failed has the reason.",
  } as const;
}
