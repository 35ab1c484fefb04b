// Database values: convert parameters for binding and result rows for storing. A part of the database runner.
import { json, type Json, type JsonObject } from "#schema/json.ts";
import { DATABASE_ROWS_KEPT } from "#schema/limits/outgoing/database-answers.ts";
import { RESPONSE_BYTES_KEPT } from "#schema/limits/outgoing/responses.ts";
import { utf8 } from "../core/bytes.ts";
import type { Failure } from "../core/classify.ts";
import type { Meaning } from "../core/refine-refusal.ts";

export type BoundValue = string | number | null;
export type Statement = { readonly sql: string; readonly params: readonly BoundValue[] };
export type DatabaseAnswer = {
  readonly rows: readonly unknown[];
  /** The number of rows read; null if the database did not report it. */
  readonly rowsRead: number | null;
  readonly rowsWritten: number;
};
/** `name`: the name of the database or of the connection. */
export type QueryResult =
  | { readonly ok: true; readonly name: string; readonly answer: DatabaseAnswer }
  | { readonly ok: false; readonly failure: Failure };

/** A parsed answer: rows, the database's error message, or an unreadable answer. */
export type DatabaseReply =
  | { readonly kind: "answer"; readonly answer: DatabaseAnswer }
  | { readonly kind: "refusal"; readonly words: string; readonly meaning: Meaning | null }
  | { readonly kind: "unreadable" };

export function toBoundValue(value: Json): BoundValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  return value !== null && typeof value === "object" ? JSON.stringify(value) : value;
}

/** Returns as many rows as a run's history may store. Values without a JSON form, such as blobs, become "[binary]". */
export function storableRows(rows: readonly unknown[]): JsonObject[] {
  const kept: JsonObject[] = [];
  let room: number = RESPONSE_BYTES_KEPT;
  for (const row of rows.slice(0, DATABASE_ROWS_KEPT)) {
    const plain: JsonObject = Object.fromEntries(
      Object.entries(row ?? {}).map(([name, value]) => [name, json.safeParse(value).data ?? withoutJsonForm(value)]),
    );
    room -= utf8(JSON.stringify(plain)).byteLength;
    if (room < 0) break;
    kept.push(plain);
  }
  return kept;
}

function withoutJsonForm(value: unknown): Json {
  return value === null || value === undefined ? null : "[binary]";
}
