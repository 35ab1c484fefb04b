// D1 over its REST API: builds the requests and reads the answers. A part of the database runner.
import { z } from "zod";
import type { DatabaseSettings } from "#schema/provider/database.ts";
import type { Json } from "#schema/json.ts";
import type { DatabaseReply, Statement } from "./rows.ts";
import { meaningFrom, type ErrorMeanings } from "../core/refine-refusal.ts";

/** A request has one statement, so the list contains one result. */
const performed = z.object({
  success: z.literal(true),
  result: z.tuple(
    [
      z.object({
        results: z.array(z.looseObject({})).default([]),
        meta: z.object({ rows_read: z.number(), rows_written: z.number(), changes: z.number() }).partial().default({}),
      }),
    ],
    z.unknown(),
  ),
});
const refused = z.object({
  success: z.literal(false),
  errors: z.array(z.object({ code: z.number().optional(), message: z.string() })).min(1),
});

/**
 * Errors of the account and of the database's load. All errors of a statement have the code 7500 and differ only in the
 * message.
 */
const MEANINGS: ErrorMeanings = {
  6003: ["authentication_failed", false, "token_invalid"],
  9106: ["authentication_failed", false, "token_invalid"],
  9109: ["authentication_failed", false, "token_invalid"],
  10000: ["authentication_failed", false, "token_invalid"],
  7429: ["service_unavailable", true, "overloaded"],
  7403: ["authorization_failed", false, "account_not_allowed"],
  7404: ["not_found", false, "database_not_found"],
};

export function d1Path({ accountId, databaseId }: Extract<DatabaseSettings, { protocol: "d1" }>): string {
  return `/client/v4/accounts/${accountId}/d1/database/${databaseId}/query`;
}

export function d1Body({ sql, params }: Statement): object {
  return { sql, params };
}

export function readD1(data: Json): DatabaseReply {
  const { data: answer } = performed.safeParse(data);
  if (answer !== undefined) {
    const { results, meta } = answer.result[0];
    const rowsWritten = meta.rows_written ?? meta.changes ?? 0;
    return { kind: "answer", answer: { rows: results, rowsRead: meta.rows_read ?? null, rowsWritten } };
  }
  const { data: refusal } = refused.safeParse(data);
  if (refusal === undefined) return { kind: "unreadable" };
  const meanings = refusal.errors.map(({ code }) => meaningFrom(MEANINGS, String(code)));
  return {
    kind: "refusal",
    words: refusal.errors.map(({ message }) => message).join("; "),
    meaning: meanings.find(({ type }) => type !== undefined) ?? null,
  };
}
