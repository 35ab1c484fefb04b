// Retention rows: deletes the parts of old deliveries that a trigger no longer needs.
import type { SequencePlace } from "#schema/inbound/delivery.ts";
import type { Queries } from "./storage.ts";

type PurgedRow = { readonly seq: number; readonly status: string; readonly bytes: number; readonly isPending: boolean };

export function retentionRows({ all, run }: Queries) {
  return {
    /**
     * Deletes request and effect of finished deliveries. The identity stays stored, so that duplicates are recognized.
     */
    empty: (after: number, upTo: number): void => {
      run(
        `UPDATE deliveries SET request = NULL, effect = NULL WHERE seq > ? AND seq <= ? AND request IS NOT NULL
          AND status IN ('applied', 'ignored', 'outdated') AND seq NOT IN (SELECT seq FROM pending)`,
        ...[after, upTo],
      );
    },
    /**
     * Deletes at most `limit` of the oldest deliveries that arrived before the time `before`. Returns the deleted
     * deliveries.
     */
    purge: (before: number, limit: number): readonly PurgedRow[] => {
      const deleted = all(
        `DELETE FROM deliveries WHERE seq IN (SELECT seq FROM deliveries ORDER BY seq LIMIT ?) AND at < ?
          RETURNING seq, status, place, length(CAST(request AS BLOB)) AS bytes,
            seq IN (SELECT seq FROM pending) AS isPending`,
        ...[limit, before],
      );
      for (const { seq, place } of deleted) {
        if (place === null || place === undefined) continue;
        const { by } = JSON.parse(String(place)) as SequencePlace; // `insert` or `rewrite` wrote this JSON
        run("DELETE FROM places WHERE name = ? AND seq = ?", by, Number(seq));
      }
      return deleted.map(({ seq, status, bytes, isPending }) => ({
        seq: Number(seq),
        status: String(status),
        bytes: Number(bytes ?? 0),
        isPending: isPending === 1,
      }));
    },
  };
}
