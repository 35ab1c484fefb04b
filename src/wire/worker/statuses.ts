// Worker statuses: the words of the worker's view for the statuses of runs. A filter accepts these words and the engine's.
import { z } from "zod";
import { runStatuses, type RunStatus } from "#schema/engine/run.ts";

const words = ["QUEUED", "RUNNING", "OK", "RETRY", "FAILED", "CANCELED"] as const;
export const runWord = z.enum(words);
type RunWord = z.infer<typeof runWord>;

const wordByStatus: { readonly [status in RunStatus]: RunWord } = {
  scheduled: "QUEUED",
  queued: "QUEUED",
  running: "RUNNING",
  retry: "RETRY",
  ok: "OK",
  failed: "FAILED",
  canceled: "CANCELED",
  skipped: "CANCELED",
};

export function runWordOf(status: RunStatus): RunWord {
  return wordByStatus[status];
}

/** A status in a filter. A word of this view selects each status of runs that the view shows by this word. */
export const statusFilter = z
  .enum([...runStatuses, ...words])
  .transform((chosen): readonly RunStatus[] =>
    runStatuses.filter((status) => status === chosen || wordByStatus[status] === chosen),
  );
