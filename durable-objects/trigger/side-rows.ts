// Rows beside the deliveries: pending ones, places in sequences, counts of stuck ones; and the deletion of old rows.
import type { Effect, SequencePlace } from "#schema/inbound/delivery.ts";
import type { Queries } from "./storage.ts";

export type Due = { readonly seq: number; readonly since: number; readonly tries: number; readonly effect: Effect };
export type Counts = { readonly stuck: number; readonly bytes: number; readonly emptied: number };

export function pendingRows({ all, first, run }: Queries) {
  return {
    pend: (seq: number, now: number): void => void run("INSERT INTO pending VALUES (?, ?, 0, ?)", seq, now, now),
    postpone: (seq: number, due: number, tries: number): void => {
      run("UPDATE pending SET due = ?, tries = ? WHERE seq = ?", due, tries, seq);
    },
    deletePending: (seq: number): void => void run("DELETE FROM pending WHERE seq = ?", seq),
    /** In the order of arrival. */
    due: (now: number, limit: number): readonly Due[] =>
      all(
        `SELECT p.seq, p.since, p.tries, d.effect FROM pending p CROSS JOIN deliveries d ON d.seq = p.seq
          WHERE p.due <= ? ORDER BY p.seq LIMIT ?`,
        ...[now, limit],
      ).map(({ seq, since, tries, effect }) => ({
        seq: Number(seq),
        since: Number(since),
        tries: Number(tries),
        effect: JSON.parse(String(effect)) as Effect, // written by insert or rewrite
      })),
    pendingState: (): { readonly count: number; readonly next: number | null } => {
      const row = first("SELECT count(*) AS n, min(due) AS next FROM pending");
      const next = row?.["next"] ?? null;
      return { count: Number(row?.["n"] ?? 0), next: next === null ? null : Number(next) };
    },
  };
}

export function tallyRows({ first, run }: Queries) {
  return {
    place: (name: string): SequencePlace["value"] | null => {
      const row = first("SELECT value FROM places WHERE name = ?", name);
      return row && (JSON.parse(String(row["value"])) as SequencePlace["value"]); // written by takePlace
    },
    takePlace: ({ by, value }: SequencePlace, seq: number): void => {
      run(
        "INSERT INTO places VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value, seq = excluded.seq",
        ...[by, JSON.stringify(value), seq],
      );
    },
    counts: (): Counts => {
      const row = first("SELECT stuck, bytes, emptied FROM counts");
      return row === null
        ? { stuck: 0, bytes: 0, emptied: 0 }
        : { stuck: Number(row["stuck"]), bytes: Number(row["bytes"]), emptied: Number(row["emptied"]) };
    },
    setCounts: ({ stuck, bytes, emptied }: Counts): void => {
      run("UPDATE counts SET stuck = ?, bytes = ?, emptied = ?", stuck, bytes, emptied);
    },
  };
}

export function agingRows({ all, run }: Queries) {
  return {
    /** Removes request and effect of finished deliveries; their identity stays, to recognize duplicates. */
    empty: (after: number, upTo: number): void => {
      run(
        `UPDATE deliveries SET request = NULL, effect = NULL WHERE seq > ? AND seq <= ? AND request IS NOT NULL
          AND status IN ('applied', 'ignored', 'outdated') AND seq NOT IN (SELECT seq FROM pending)`,
        ...[after, upTo],
      );
    },
    /** Deletes the oldest deliveries, as far as they came before `before`. Returns what was deleted. */
    purge: (before: number, limit: number): readonly { readonly status: string; readonly bytes: number }[] => {
      const gone = all(
        `DELETE FROM deliveries WHERE seq IN (SELECT seq FROM deliveries ORDER BY seq LIMIT ?) AND at < ?
          RETURNING seq, status, place, length(CAST(request AS BLOB)) AS bytes`,
        ...[limit, before],
      );
      for (const { seq, place } of gone) {
        if (place === null || place === undefined) continue;
        const { by } = JSON.parse(String(place)) as SequencePlace; // written by insert or rewrite
        run("DELETE FROM places WHERE name = ? AND seq = ?", by, Number(seq));
      }
      return gone.map(({ status, bytes }) => ({ status: String(status), bytes: Number(bytes ?? 0) }));
    },
  };
}
