// Ports: everything that a cell needs from its environment. The object binds the ports to the platform. The simulator
// binds them to a world that drops, repeats and delays messages.
import type { ObservedStep } from "#kernel/invariants/invariants.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ActionMessage, OutboxQueueMessage } from "#schema/engine/message.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { ProjectionMessage } from "#schema/engine/projection.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { CellStorage } from "./storage.ts";

/** Publishes committed entries to subscribers. `end`: why the streams end after these entries; null if they continue. */
export type PublishEntries = (
  execution: string,
  entries: readonly JournalEntry[],
  end: "ended" | "deleted" | null,
) => void;

export type Ports = {
  /** The name of the cell's object. */
  readonly name: string;
  readonly storage: CellStorage;
  /** How many executions the cell keeps in memory before it evicts executions at rest. */
  readonly headsInMemory: number;
  readonly now: () => number;
  /** Called with every accepted step, before the step is stored. */
  readonly inspect: (observed: ObservedStep) => void;
  /** When the tenant was suspended, epoch ms, as far as the cell knows; null if it is not suspended. */
  readonly suspendedAt: () => number | null;
  /**
   * Queries whether the tenant is suspended, unless a recent answer is cached. The alarm's handler calls this first.
   */
  readonly refreshSuspension: () => Promise<void>;
  /** Sets the alarm as part of the commit: the alarm and the rows are durable together. */
  readonly setAlarm: (at: number) => void;
  /** Runs `work` after `ms`, if the object is still in memory. Otherwise the alarm must find the same work. */
  readonly runAfter: (ms: number, work: () => void) => void;
  /** Runs work that is due after `ms`, if the object is still in memory. Otherwise a later alarm runs it. */
  readonly runWhenDue: (ms: number, work: () => void) => void;
  readonly sendActions: (messages: readonly ActionMessage[]) => Promise<void>;
  readonly sendSlowActions: (messages: readonly ActionMessage[]) => Promise<void>;
  readonly sendOutboxes: (messages: readonly OutboxQueueMessage[]) => Promise<void>;
  readonly sendProjection: (message: ProjectionMessage) => Promise<void>;
  /**
   * Sends a claimed run to the Worker's runner. Resolves with its outcome; rejects if the call is lost. `calledOff`
   * aborts when the outcome is no longer needed.
   */
  readonly callRunner: (ticket: Ticket, calledOff: AbortSignal) => Promise<Outcome>;
  readonly publish: PublishEntries;
  readonly log: (line: { readonly [key: string]: unknown }) => void;
};
