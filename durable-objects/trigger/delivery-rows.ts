// Delivery rows: each delivery as it was received, with its outcome.
import { senderResponse } from "#policy/inbound/sender-response.ts";
import type {
  Arrival,
  DeliveryStatus,
  Effect,
  StoredRequest,
  SequencePlace,
  DeliveryFault,
} from "#schema/inbound/delivery.ts";
import type { Queries, Raw } from "./storage.ts";

/**
 * A stored delivery. While it has a row in `pending`, its status is `applied` or `published` although its effect is not
 * done.
 */
export type DeliveryRow = {
  readonly seq: number;
  readonly at: number;
  readonly deliveryId: string | null;
  readonly status: DeliveryStatus;
  readonly execution: string | null;
  readonly event: string | null;
  readonly effect: Effect | null;
  readonly place: SequencePlace | null;
  readonly reason: DeliveryFault | null;
  readonly request: StoredRequest | null;
  readonly due: number | null;
  readonly tries: number;
};
export type Outcome = Pick<DeliveryRow, "status" | "effect" | "reason">;

const COLUMNS_WITHOUT_REQUEST =
  "d.seq, d.at, d.identity, d.status, d.execution, d.event, d.effect, d.place, d.reason, p.due, p.tries";
const COLUMNS = `${COLUMNS_WITHOUT_REQUEST}, d.request`;
const FROM = "FROM deliveries d LEFT JOIN pending p ON p.seq = d.seq";

export function deliveryRows({ first, run }: Queries) {
  return {
    /** Stores a new delivery. Returns the size of its request, in bytes. */
    insert: (seq: number, at: number, { identity, request, sequence }: Arrival, outcome: Outcome): number => {
      const { status, effect, reason } = outcome;
      const { execution, event } = senderResponse(effect);
      const texts = [effect, sequence, reason, request].map((value) => (value === null ? null : JSON.stringify(value)));
      const columns = [seq, at, identity, status, execution, event, ...texts];
      run("INSERT INTO deliveries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", ...columns);
      return bytesOf(texts[3] ?? "");
    },
    /** Replaces the outcome of a delivery. */
    rewrite: (seq: number, { status, effect, reason }: Outcome, place: SequencePlace | null): void => {
      const { execution, event } = senderResponse(effect);
      const texts = [effect, place, reason].map((value) => (value === null ? null : JSON.stringify(value)));
      run(
        "UPDATE deliveries SET status = ?, execution = ?, event = ?, effect = ?, place = ?, reason = ? WHERE seq = ?",
        ...[status, execution, event, ...texts, seq],
      );
    },
    /** Sets the status to `failed`. The effect stays stored. Returns the size of the request, in bytes. */
    fail: (seq: number, reason: DeliveryFault): number => {
      const failed = "UPDATE deliveries SET status = 'failed', reason = ? WHERE seq = ? RETURNING request";
      return bytesOf(String(first(failed, JSON.stringify(reason), seq)?.["request"] ?? ""));
    },
    /** Returns the size of a delivery's request, in bytes; 0 after the request was deleted. */
    requestBytes: (seq: number): number =>
      bytesOf(String(first("SELECT request FROM deliveries WHERE seq = ?", seq)?.["request"] ?? "")),
    /** Finds a delivery by its identity, without its request. */
    byIdentity: (identity: string): DeliveryRow | null =>
      rowOf(first(`SELECT ${COLUMNS_WITHOUT_REQUEST}, NULL AS request ${FROM} WHERE d.identity = ?`, identity)),
    summary: (seq: number): DeliveryRow | null =>
      rowOf(first(`SELECT ${COLUMNS_WITHOUT_REQUEST}, NULL AS request ${FROM} WHERE d.seq = ?`, seq)),
    bySeq: (seq: number): DeliveryRow | null => rowOf(first(`SELECT ${COLUMNS} ${FROM} WHERE d.seq = ?`, seq)),
  };
}

/** Lists of deliveries, and the first and the last one. */
export function deliveryLists({ all, first }: Queries) {
  return {
    /** Returns deliveries, the newest first. */
    list: (status: DeliveryStatus | null, before: number, limit: number): readonly DeliveryRow[] => {
      const page = "ORDER BY d.seq DESC LIMIT ?";
      switch (status) {
        case null:
          return rowsOf(all(`SELECT ${COLUMNS} ${FROM} WHERE d.seq < ? ${page}`, before, limit));
        case "pending": {
          const join = "FROM pending p CROSS JOIN deliveries d ON d.seq = p.seq";
          return rowsOf(all(`SELECT ${COLUMNS} ${join} WHERE p.seq < ? ORDER BY p.seq DESC LIMIT ?`, before, limit));
        }
        case "applied": {
          const isDone = "d.status = 'applied' AND p.seq IS NULL";
          return rowsOf(all(`SELECT ${COLUMNS} ${FROM} WHERE d.seq < ? AND ${isDone} ${page}`, before, limit));
        }
        case "published": {
          const isPublished = "d.status <> 'applied' AND d.status = 'published' AND p.seq IS NULL";
          return rowsOf(all(`SELECT ${COLUMNS} ${FROM} WHERE ${isPublished} AND d.seq < ? ${page}`, before, limit));
        }
        case "ignored":
        case "outdated":
        case "unmappable":
        case "failed": {
          const hasStatus = "d.status <> 'applied' AND d.status = ? AND d.seq < ?";
          return rowsOf(all(`SELECT ${COLUMNS} ${FROM} WHERE ${hasStatus} ${page}`, status, before, limit));
        }
      }
    },
    /** Returns deliveries in the order of arrival. */
    oldest: (status: DeliveryStatus, limit: number): readonly DeliveryRow[] => {
      const hasStatus = "d.status <> 'applied' AND d.status = ?";
      return rowsOf(all(`SELECT ${COLUMNS} ${FROM} WHERE ${hasStatus} ORDER BY d.seq LIMIT ?`, status, limit));
    },
    lastSeq: (): { readonly seq: number; readonly at: number } | null => {
      const row = first("SELECT seq, at FROM deliveries ORDER BY seq DESC LIMIT 1");
      return row && { seq: Number(row["seq"]), at: Number(row["at"]) };
    },
    firstAt: (): number | null => {
      const row = first("SELECT at FROM deliveries ORDER BY seq LIMIT 1");
      return row && Number(row["at"]);
    },
  };
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}

function rowsOf(rows: readonly Raw[]): readonly DeliveryRow[] {
  return rows.map(rowOf).filter((row) => row !== null);
}

function rowOf(row: Raw | null): DeliveryRow | null {
  if (row === null) return null;
  const { seq, at, identity, status, execution, event, effect, place, reason, request, due, tries } = row;
  return {
    seq: Number(seq),
    at: Number(at),
    deliveryId: deliveryIdOf(String(identity)),
    status: String(status) as DeliveryStatus, // `insert`, `rewrite` or `fail` wrote this status
    execution: textOf(execution),
    event: textOf(event),
    effect: jsonOf(effect) as Effect | null, // the same functions wrote this column and the following ones
    place: jsonOf(place) as SequencePlace | null,
    reason: jsonOf(reason) as DeliveryFault | null,
    request: jsonOf(request) as StoredRequest | null,
    due: due === null || due === undefined ? null : Number(due),
    tries: Number(tries ?? 0),
  };
}

/** Returns the sender's id of the delivery; null if the sender gave none. */
export function deliveryIdOf(identity: string): string | null {
  return identity.startsWith("=") ? identity.slice(1) : null;
}

function textOf(value: SqlStorageValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

function jsonOf(value: SqlStorageValue | undefined): unknown {
  return value === null || value === undefined ? null : JSON.parse(String(value));
}
