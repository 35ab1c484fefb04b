// A cell that records its direct calls, its queue messages and its projections.
import type { Ports } from "#objects/execution/ports.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import { openTestCell } from "../cell.ts";

export type WatchedCell = ReturnType<typeof openWatchedCell>;

export function openWatchedCell() {
  const sent: string[] = [];
  const published: JournalEntry[] = [];
  const queued = async (messages: readonly { readonly run: string; readonly attempt: number }[]): Promise<void> => {
    for (const { run, attempt } of messages) sent.push(`queue ${run}#${attempt}`);
  };
  const cell = openTestCell({
    sendActions: queued,
    sendSlowActions: queued,
    sendOutboxes: async (messages) => void sent.push(...messages.map(() => "send")),
    callRunner: ({ run, attempt }) => {
      sent.push(`direct ${run}#${attempt}`);
      return new Promise(() => {});
    },
    publish: (_execution, entries) => void published.push(...entries),
  } satisfies Partial<Ports>);
  return {
    ...cell,
    sent,
    /** The published entries, which remain after the history was deleted. */
    published,
    /** Resolves after all settled promises have run their callbacks. */
    settled: (): Promise<void> => new Promise((resolve) => setImmediate(resolve)),
  };
}
