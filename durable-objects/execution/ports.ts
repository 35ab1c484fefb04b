// Ports: everything the cell needs from outside: a store, a clock, one alarm, and ways to send. The object binds them
// to the platform, the simulator to a world that drops, doubles and delays.
import type { ObservedStep } from "#kernel/invariants/invariants.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ActionMessage, OutboxQueueMessage } from "#schema/engine/message.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { ProjectionMessage } from "#schema/engine/projection.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { CellStorage } from "./storage.ts";

export type Ports = {
  /** The cell's. */
  readonly name: string;
  readonly storage: CellStorage;
  /** How many executions it keeps in memory before it evicts those at rest. */
  readonly headsInMemory: number;
  readonly now: () => number;
  /** Called with every accepted step, before it is stored. */
  readonly inspect: (judged: ObservedStep) => void;
  /** When the cell's tenant was suspended, as far as the cell knows; null if it is not. */
  readonly suspendedAt: () => number | null;
  /** Queries the suspension, unless a recent answer is cached. The alarm has done so before it fires here. */
  readonly learnSuspended: () => Promise<void>;
  /** Part of the commit: durable together with the rows written beside it. */
  readonly setAlarm: (at: number) => void;
  /** Calls back later, if the object is still in memory: only for work that the alarm would find too. */
  readonly later: (ms: number, work: () => void) => void;
  /** The same for work that is due by then: an alarm is set as a fallback. */
  readonly near: (ms: number, work: () => void) => void;
  readonly sendActions: (messages: readonly ActionMessage[]) => Promise<void>;
  readonly sendSlowActions: (messages: readonly ActionMessage[]) => Promise<void>;
  readonly sendOutboxes: (messages: readonly OutboxQueueMessage[]) => Promise<void>;
  readonly sendProjection: (message: ProjectionMessage) => Promise<void>;
  /**
   * Sends a claimed run to the stateless runner; resolves with its outcome, rejects if it is lost. `calledOff`: aborts
   * when the outcome is no longer needed.
   */
  readonly fly: (ticket: Ticket, calledOff: AbortSignal) => Promise<Outcome>;
  /** `isGone`: no entries follow, because the execution was purged. */
  readonly publish: (execution: string, entries: readonly JournalEntry[], isGone: boolean) => void;
  readonly log: (line: { readonly [key: string]: unknown }) => void;
};
