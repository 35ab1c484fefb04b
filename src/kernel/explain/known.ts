// What is known of an execution when it is asked why it stands where it stands.
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { Quarantined } from "#schema/engine/quarantine.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Program } from "../programs/program.ts";

export type Known = {
  readonly program: Program;
  readonly state: ExecutionState;
  readonly now: number;
  /** Its tenant is. */
  readonly suspended: boolean;
  /** The end of its journal. */
  readonly recent: readonly JournalEntry[];
  /** Set where its cell cannot go on with it. */
  readonly quarantined: Quarantined | null;
};
