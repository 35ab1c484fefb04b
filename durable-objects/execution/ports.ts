// Everything the cell needs of the world: a store, a clock, one alarm, and ways out. The object binds them to
// the platform, the simulator to a world that drops, doubles and delays.
import type { Judged } from "#kernel/invariants/invariants.ts";
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
  /** How many executions it knows of without looking them up, before it lets go of those at rest. */
  readonly headsInMemory: number;
  readonly now: () => number;
  /** Sees every step that was accepted, before it is kept. */
  readonly inspect: (judged: Judged) => void;
  /** Since when the cell's tenant is suspended, as far as the cell knows; null: it is not. */
  readonly suspendedAt: () => number | null;
  /** Asks, unless it is known from a moment ago. An alarm has done so before it goes off here. */
  readonly learnSuspended: () => Promise<void>;
  /** Part of the commit: durable together with the rows written beside it. */
  readonly setAlarm: (at: number) => void;
  /** Calls back later, if the object still lives: only for what the alarm would find out too. */
  readonly later: (ms: number, work: () => void) => void;
  /** The same for what is due by then: an alarm stands behind it. */
  readonly near: (ms: number, work: () => void) => void;
  readonly sendActions: (messages: readonly ActionMessage[]) => Promise<void>;
  readonly sendSlowActions: (messages: readonly ActionMessage[]) => Promise<void>;
  readonly sendOutboxes: (messages: readonly OutboxQueueMessage[]) => Promise<void>;
  readonly sendProjection: (message: ProjectionMessage) => Promise<void>;
  /**
   * Hands a claimed run to the stateless runner; resolves with its outcome, rejects if it is lost. `calledOff`: nobody
   * wants the outcome any more, and whoever carries it should stop.
   */
  readonly fly: (ticket: Ticket, calledOff: AbortSignal) => Promise<Outcome>;
  /** `isGone`: nothing comes after these, for the execution has been purged. */
  readonly publish: (execution: string, entries: readonly JournalEntry[], isGone: boolean) => void;
  readonly log: (line: { readonly [key: string]: unknown }) => void;
};
