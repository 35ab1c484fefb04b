// Database errors: their meaning. The texts are SQLite's, so they are the same wherever it runs.
import { SAID_CHARS_MAX } from "#schema/limits/runners.ts";
import type { Failure } from "../core/classify.ts";
import type { Meaning } from "../core/refine-refusal.ts";

/**
 * D1's errors have no distinct codes: the cause is in the message, in its documented wording. libSQL's codes (SQLITE_…,
 * SQL_…) are checked together with its message.
 */
const MEANINGS: readonly (readonly [words: RegExp, type: string, retryable: boolean, code: string])[] = [
  [/constraint failed|SQLITE_CONSTRAINT/i, "malformed_request", false, "constraint"],
  [
    /no such (?:table|column|function)|syntax error|incomplete input|unrecognized token|ambiguous column/i,
    "invalid_configuration",
    false,
    "sql_invalid",
  ],
  [
    /D1_TYPE_ERROR|datatype mismatch|wrong number of parameter|string or blob too big/i,
    "malformed_request",
    false,
    "params_invalid",
  ],
  [/SQL_PARSE_ERROR/, "invalid_configuration", false, "sql_invalid"],
  [/too many SQL variables|ARGS_INVALID|SQLITE_MISMATCH/, "malformed_request", false, "params_invalid"],
  [/no database bound for actions/, "invalid_configuration", false, "database_not_bound"],
  [
    /not authorized|SQLITE_AUTH|SQL (?:read|write) operations are forbidden/i,
    "authorization_failed",
    false,
    "statement_not_allowed",
  ],
  [/RESPONSE_TOO_LARGE/, "malformed_request", false, "answer_too_large"],
  [/overloaded|too many requests queued|queued for too long/i, "service_unavailable", true, "overloaded"],
  [
    /reset|connection lost|transient issue|client disconnected|starting up|_BUSY|database is locked/i,
    "service_unavailable",
    true,
    "reset",
  ],
];

/** Null for an unknown text. */
export function meaningOfWords(said: string): Meaning | null {
  const found = MEANINGS.find(([words]) => words.test(said));
  return found === undefined ? null : { type: found[1], retryable: found[2], code: found[3] };
}

const NEW_WORDS = { type: "unknown_error", retryable: true, code: "database_error" } as const;
/** Independent of the codes: it timed out during execution. */
const OUT_OF_TIME = /exceeded timeout/i;

/**
 * After these it is unknown whether the statement ran: it was cut off, or its answer was lost, or the text is unknown.
 */
export function inDoubt({ code }: Meaning, said: string): Pick<Meaning, "effect"> {
  const isDoubtful = code === "reset" || code === "answer_too_large" || code === NEW_WORDS.code;
  return isDoubtful || OUT_OF_TIME.test(said) ? { effect: "unknown" } : {};
}

/** For a database that refuses with a message; the meaning of its own code takes precedence. */
export function refusedStatement(name: string, said: string, meaning: Meaning | null = null): Failure {
  const message = `the database ${name} refused the statement: ${said.slice(0, SAID_CHARS_MAX)}`;
  const known = { ...NEW_WORDS, ...(meaning ?? meaningOfWords(said)) };
  return { error: { ...known, ...inDoubt(known, said), message } };
}
