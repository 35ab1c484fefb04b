// The input of an explanation: the execution's program and state, the current time, and the latest entries of its
// journal.
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { QuarantineEntry } from "#schema/engine/quarantine.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Program } from "../execution/program.ts";

export type ExplanationInput = {
  readonly program: Program;
  readonly state: ExecutionState;
  readonly now: number;
  /** Whether the execution's tenant is suspended. */
  readonly suspended: boolean;
  /** The latest journal entries of the execution. */
  readonly recent: readonly JournalEntry[];
  /** The quarantine entry, if the cell has quarantined the execution; otherwise null. */
  readonly quarantined: QuarantineEntry | null;
};
