// When the catalog is sent projections: at once of an execution alone in its cell, together of those in a pool, and
// again of what an earlier life of the object may not have sent.
import { PROJECT_AFTER_MS } from "#schema/limits/objects.ts";
import type { Alarm } from "../alarm.ts";
import type { Heads } from "../heads/heads.ts";
import type { Ports } from "../ports.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { Head } from "../storage.ts";
import { auditRows } from "./rows.ts";
import type { PendingProjections } from "./pending-projections.ts";

export type Projector = {
  /** What an earlier life may not have sent goes first: this turn counts as projected with all that came before it. */
  readonly addUnprojected: () => void;
  readonly project: () => Promise<void>;
  readonly projectSoon: () => void;
  /** In full, whatever was sent before. Says of which of them the catalog was not told. */
  readonly projectAgain: (executions: readonly string[]) => Promise<readonly string[]>;
};

type Around = {
  readonly ports: Ports;
  readonly heads: Heads;
  readonly pending: PendingProjections;
  readonly alarm: Alarm;
  readonly isFlying: () => boolean;
};

export function openProjector({ ports, heads, pending, alarm, isFlying }: Around): Projector {
  let isSoon = false;

  const addWhole = (execution: string): void => {
    const head = heads.read(execution);
    if (head) pending.addWhole(head.state, auditRows(head.state, recent(head)));
  };

  const addAll = (execution: string): void => {
    addWhole(execution);
    heads.quarantine.tellAgain(execution);
  };

  /** What people did lately; a page that cannot be read keeps nobody from being told of the rest. */
  const recent = (head: Head): readonly JournalEntry[] => {
    try {
      return heads.recent(head);
    } catch (fault) {
      ports.log({ level: "error", event: "page_unreadable", execution: head.state.id, message: String(fault) });
      return head.tail;
    }
  };

  const addUnprojected = (): void => heads.unprojected(ports.now()).forEach(addWhole);

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
    const through = heads.turns.last();
    if (!(await pending.send())) return;
    heads.turns.markProjected(through);
    if (!isFlying() && heads.isAlone()) alarm.armExactly();
  };

  const go = (): void => {
    isSoon = false;
    project().catch((fault: unknown) =>
      ports.log({ level: "error", event: "projecting_failed", message: String(fault) }),
    );
  };

  return {
    addUnprojected,
    project,
    projectSoon: () => {
      if (isSoon) return;
      isSoon = true;
      if (heads.isAlone()) go();
      else ports.later(PROJECT_AFTER_MS, go);
    },
    projectAgain: async (executions) => {
      // One that cannot be read keeps none of the others from being told.
      const unread = new Set(executions.filter((execution) => !succeeds(() => addAll(execution))));
      if (!succeeds(addUnprojected)) await pending.send();
      else await project();
      return executions.filter((execution) => unread.has(execution) || pending.holds(execution));
    },
  };
}
