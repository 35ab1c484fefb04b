// Sequence rows: for each sequence, the position of its newest delivery. A delivery with an earlier position is
// outdated.
import type { SequencePlace } from "#schema/inbound/delivery.ts";
import type { Queries } from "./storage.ts";

export function sequenceRows({ first, run }: Queries) {
  return {
    /** Returns the newest position in a sequence; null if it has none. */
    place: (name: string): SequencePlace["value"] | null => {
      const row = first("SELECT value FROM places WHERE name = ?", name);
      return row && (JSON.parse(String(row["value"])) as SequencePlace["value"]); // `takePlace` wrote this JSON
    },
    takePlace: ({ by, value }: SequencePlace, seq: number): void => {
      run(
        "INSERT INTO places VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value, seq = excluded.seq",
        ...[by, JSON.stringify(value), seq],
      );
    },
  };
}
