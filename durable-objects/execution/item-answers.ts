// Item answers: one answer for each item of a list call. An item that failed unexpectedly gets a refusal and a log
// line. The other items are committed and get their own answers.
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
  const settled = (await Promise.allSettled(answers)).map((answer, index) => {
    if (answer.status === "fulfilled") return answer.value;
    const execution = executions[index] ?? "";
    failed.set(answer.reason, [...(failed.get(answer.reason) ?? []), execution]);
    return refuse(internalError(execution));
  });
  // All items of a turn share the fault of a failed commit, so the fault gets a single log line.
  for (const [fault, failedExecutions] of failed) logFailed(log, fault, failedExecutions);
  return settled;
}

/** Returns a synchronous answer, or a refusal if `work` throws. */
export function answerOf<T>({ log }: Logging, execution: string, work: () => Result<T>): Result<T> {
  try {
    return work();
  } catch (fault) {
    logFailed(log, fault, [execution]);
    return refuse(internalError(execution));
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

function internalError(execution: string) {
  return {
    code: "internal_error",
    message: `An internal error occurred for execution ${execution}; nothing of this request was stored.`,
    hint: "Send the same request again with the same Idempotency-Key. The log line item_failed has the reason.",
  } as const;
}
