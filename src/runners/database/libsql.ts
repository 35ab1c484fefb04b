// libSQL over HTTP (sqld, Turso): builds the requests of its pipeline protocol and reads the answers. A part of the
// database runner.
import { z } from "zod";
import type { Json } from "#schema/json.ts";
import type { BoundValue, DatabaseReply, Statement } from "./rows.ts";

const cell = z.discriminatedUnion("type", [
  z.object({ type: z.literal("null") }),
  z.object({ type: z.literal("integer"), value: z.string() }),
  z.object({ type: z.literal("float"), value: z.number() }),
  z.object({ type: z.literal("text"), value: z.string() }),
  z.object({ type: z.literal("blob") }),
]);
type Cell = z.infer<typeof cell>;

const result = z.object({
  cols: z.array(z.object({ name: z.string().nullish() })),
  rows: z.array(z.array(cell)),
  affected_row_count: z.number(),
  /** The row counts; absent in answers of older servers. */
  rows_read: z.number().optional(),
  rows_written: z.number().optional(),
});
const errorBody = z.object({ message: z.string(), code: z.string().nullish() });
/**
 * The pipeline has two requests: the statement, and the end of the stream. Only the statement has a result that is
 * read.
 */
const performed = z.object({
  results: z.tuple(
    [
      z.discriminatedUnion("type", [
        z.object({ type: z.literal("ok"), response: z.object({ type: z.literal("execute"), result }) }),
        z.object({ type: z.literal("error"), error: errorBody }),
      ]),
    ],
    z.unknown(),
  ),
});
/** The answer to an HTTP call that was refused as a whole, before any statement. */
const refused = z.union([
  errorBody,
  z.object({ error: z.string() }).transform(({ error }) => ({ message: error, code: null })),
]);

export function libsqlBody({ sql, params }: Statement): object {
  return { requests: [{ type: "execute", stmt: { sql, args: params.map(encodeParameter) } }, { type: "close" }] };
}

/** Encodes a parameter. Integers are sent as text, because JSON numbers are exact to 53 bits only. */
function encodeParameter(value: BoundValue): object {
  if (value === null) return { type: "null" };
  if (typeof value === "string") return { type: "text", value };
  return Number.isSafeInteger(value) ? { type: "integer", value: String(value) } : { type: "float", value };
}

export function readLibsql(data: Json): DatabaseReply {
  const first = performed.safeParse(data).data?.results[0];
  if (first?.type === "ok") {
    const { cols, rows, affected_row_count, rows_read, rows_written } = first.response.result;
    const rowObjects = rows.map((row) =>
      Object.fromEntries(row.map((each, n) => [cols[n]?.name ?? `column${n + 1}`, decodeCell(each)])),
    );
    const rowsWritten = rows_written ?? affected_row_count;
    return { kind: "answer", answer: { rows: rowObjects, rowsRead: rows_read ?? null, rowsWritten } };
  }
  const error = first?.error ?? refused.safeParse(data).data;
  if (error === undefined) return { kind: "unreadable" };
  return { kind: "refusal", words: [error.message, error.code].filter(Boolean).join(": "), meaning: null };
}

function decodeCell(each: Cell): Json {
  switch (each.type) {
    case "null":
      return null;
    case "integer": {
      const number = Number(each.value);
      // An integer beyond 53 bits stays a text, because a number could not represent it exactly.
      return Number.isSafeInteger(number) ? number : each.value;
    }
    case "float":
    case "text":
      return each.value;
    case "blob":
      return "[binary]";
  }
}
