// The input of an explanation: everything known about the execution.
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { Quarantined } from "#schema/engine/quarantine.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Program } from "../execution/program.ts";

export type ExplanationInput = {
  readonly program: Program;
  readonly state: ExecutionState;
  readonly now: number;
  /** Whether its tenant is suspended. */
  readonly suspended: boolean;
  /** The end of its journal. */
  readonly recent: readonly JournalEntry[];
  /** Set if its cell cannot step it. */
  readonly quarantined: Quarantined | null;
};
