// Projector: decides when projections are sent. A cell with a single execution sends them immediately. Other cells wait
// briefly, so that one message has the rows of several executions.
import { PROJECT_AFTER_MS } from "#schema/limits/executions.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { Alarm } from "../alarm.ts";
import type { Heads } from "../heads/heads.ts";
import type { Ports } from "../ports.ts";
import type { Head } from "../storage.ts";
import { auditRows } from "./catalog-rows.ts";
import type { PendingProjections } from "./pending-projections.ts";

export type Projector = {
  /**
   * Adds the executions that an earlier instance of the object may not have projected. Called before new projections
   * are sent.
   */
  readonly addUnprojected: () => void;
  /** Sends everything that is pending. */
  readonly project: () => Promise<void>;
  /** Schedules `project`, unless a call is already scheduled. */
  readonly projectSoon: () => void;
  /**
   * Projects executions with all their runs, even if they were projected before. Returns the executions that could not
   * be projected.
   */
  readonly projectAgain: (executions: readonly string[]) => Promise<readonly string[]>;
};

type Parts = {
  readonly ports: Ports;
  readonly heads: Heads;
  readonly pending: PendingProjections;
  readonly alarm: Alarm;
  readonly hasDirectCalls: () => boolean;
};

export function openProjector({ ports, heads, pending, alarm, hasDirectCalls }: Parts): Projector {
  let isScheduled = false;

  const addExecution = (execution: string): void => {
    const head = heads.read(execution);
    if (head) pending.addInFull(head.state, auditRows(head.state, recentEntries(head)));
  };

  const addWithQuarantine = (execution: string): void => {
    addExecution(execution);
    heads.quarantine.projectAgain(execution);
  };

  /**
   * Audit rows of older entries are in the catalog already. If the last page is unreadable, only the tail is returned.
   */
  const recentEntries = (head: Head): readonly JournalEntry[] => {
    try {
      return heads.recentEntries(head);
    } catch (fault) {
      ports.log({ level: "error", event: "page_unreadable", execution: head.state.id, message: String(fault) });
      return head.tail;
    }
  };

  const addUnprojected = (): void => heads.unprojected(ports.now()).forEach(addExecution);

  const succeeds = (add: () => void): boolean => {
    try {
      add();
      return true;
    } catch (fault) {
      ports.log({ level: "error", event: "projecting_failed", message: String(fault) });
      return false;
    }
  };

  const project = async (): Promise<void> => {
    addUnprojected();
    const lastTurn = heads.turns.last();
    if (!(await pending.send())) return;
    heads.turns.markProjected(lastTurn);
    if (!hasDirectCalls() && heads.hasOneExecution()) alarm.armExactly();
  };

  const runScheduled = (): void => {
    isScheduled = false;
    project().catch((fault: unknown) =>
      ports.log({ level: "error", event: "projecting_failed", message: String(fault) }),
    );
  };

  return {
    addUnprojected,
    project,
    projectSoon: () => {
      if (isScheduled) return;
      isScheduled = true;
      if (heads.hasOneExecution()) runScheduled();
      else ports.runAfter(PROJECT_AFTER_MS, runScheduled);
    },
    projectAgain: async (executions) => {
      // A fault of one execution does not prevent the projection of the other executions.
      const failed = new Set(executions.filter((execution) => !succeeds(() => addWithQuarantine(execution))));
      if (succeeds(addUnprojected)) await project();
      else await pending.send();
      return executions.filter((execution) => failed.has(execution) || pending.isUnsent(execution));
    },
  };
}
