// Work outcomes: the outcomes of the actions and executions that a recurring action has started.
import type { RunStatus } from "../engine/run.ts";
import type { ExecutionStatus } from "../engine/state.ts";
import type { StartedOccurrence } from "./state.ts";

/** What the catalog knows of a started execution. Each status is null if the catalog has no row. */
export type WorkRow = {
  readonly execution: string;
  readonly status: ExecutionStatus | null;
  readonly error: string | null;
  /** The status of the execution's first run, and its error. A standalone action has only this run. */
  readonly run: RunStatus | null;
  readonly runError: string | null;
  /** The error of a dead letter that waits for an operator; null if there is none. */
  readonly deadLetter: string | null;
};

/**
 * pending: not ended yet, such as an action that waits for a retry. failed: an open dead letter, too. unknown: the
 * catalog has no row of the execution, or did not answer.
 */
export const workOutcomes = ["ok", "failed", "skipped", "canceled", "pending", "unknown"] as const;
export type WorkOutcome = (typeof workOutcomes)[number];

/** A started occurrence with its outcome. `error`: why it failed; null for all other outcomes. */
export type SeenOccurrence = StartedOccurrence & { readonly outcome: WorkOutcome; readonly error: string | null };

/** The outcomes of the latest started occurrences, the newest first. */
export type WorkHistory = {
  readonly occurrences: readonly SeenOccurrence[];
  /** The outcome of the newest occurrence that has ended; null if none has. */
  readonly lastOutcome: WorkOutcome | null;
  readonly failuresInARow: number;
};
