// Published rows: the deliveries whose events are published and have no result yet.
import type { Queries } from "./storage.ts";

export function publishedRows({ first }: Queries) {
  return {
    /**
     * Sets the status to `applied`, because an execution has accepted the delivery's event. Returns false if the status
     * is that already. Deletes request and effect if they are older than those that the trigger stores.
     */
    apply: (seq: number, emptied: number): boolean => {
      const body = seq <= emptied ? ", request = NULL, effect = NULL" : "";
      const apply = `UPDATE deliveries SET status = 'applied', reason = NULL${body} WHERE seq = ? AND status <> 'applied'`;
      return first(`${apply} RETURNING seq`, seq) !== null;
    },
    /** Counts the deliveries whose events are published and have no result yet. */
    countPublished: (): number =>
      Number(
        first("SELECT count(*) AS n FROM deliveries WHERE status <> 'applied' AND status = 'published'")?.["n"] ?? 0,
      ),
  };
}
