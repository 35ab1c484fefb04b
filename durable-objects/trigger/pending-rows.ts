// Pending rows: the deliveries whose effect is not done yet.
import type { Effect } from "#schema/inbound/delivery.ts";
import type { Queries } from "./storage.ts";

/** A delivery whose effect is due. `since`: when the tries began, epoch ms. */
export type Due = { readonly seq: number; readonly since: number; readonly tries: number; readonly effect: Effect };

export function pendingRows({ all, first, run }: Queries) {
  return {
    pend: (seq: number, now: number): void => void run("INSERT INTO pending VALUES (?, ?, 0, ?)", seq, now, now),
    postpone: (seq: number, due: number, tries: number): void => {
      run("UPDATE pending SET due = ?, tries = ? WHERE seq = ?", due, tries, seq);
    },
    deletePending: (seq: number): void => void run("DELETE FROM pending WHERE seq = ?", seq),
    /** Returns false if a report or a replay has ended this delivery of the effect meanwhile. */
    isPending: ({ seq, since }: Pick<Due, "seq" | "since">): boolean =>
      first("SELECT 1 FROM pending WHERE seq = ? AND since = ?", seq, since) !== null,
    /** Returns the deliveries that are due, in the order of arrival. */
    due: (now: number, limit: number): readonly Due[] =>
      all(
        `SELECT p.seq, p.since, p.tries, d.effect FROM pending p CROSS JOIN deliveries d ON d.seq = p.seq
          WHERE p.due <= ? ORDER BY p.seq LIMIT ?`,
        ...[now, limit],
      ).map(({ seq, since, tries, effect }) => ({
        seq: Number(seq),
        since: Number(since),
        tries: Number(tries),
        effect: JSON.parse(String(effect)) as Effect, // `insert` or `rewrite` wrote this JSON
      })),
    /** Returns how many deliveries are pending, and when the next one is due, epoch ms; null if none is pending. */
    pendingState: (): { readonly count: number; readonly next: number | null } => {
      const row = first("SELECT count(*) AS n, min(due) AS next FROM pending");
      const next = row?.["next"] ?? null;
      return { count: Number(row?.["n"] ?? 0), next: next === null ? null : Number(next) };
    },
  };
}
