// Database errors: classify the error texts of SQLite, which D1 and libSQL both return.
import { MESSAGE_EXCERPT_CHARS_MAX } from "#schema/limits/outgoing/responses.ts";
import type { Failure } from "../core/classify.ts";
import type { Meaning } from "../core/refine-refusal.ts";

/** The Worker throws an error with this text if a name of ACTION_DATABASES has no database. */
export const NO_BOUND_DATABASE = "the Worker has no database for actions under this name";

/**
 * The patterns of error texts, checked in this order. D1 has no distinct error codes. libSQL's codes (SQLITE_…, SQL_…)
 * are part of the checked text.
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
  [new RegExp(NO_BOUND_DATABASE), "invalid_configuration", false, "database_not_bound"],
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

/** Returns the meaning of an error text; null if no pattern matches. */
export function meaningOfText(errorText: string): Meaning | null {
  const row = MEANINGS.find(([words]) => words.test(errorText));
  return row === undefined ? null : { type: row[1], retryable: row[2], code: row[3] };
}

const UNKNOWN_ERROR = { type: "unknown_error", retryable: true, code: "database_error" } as const;
/**
 * Matches errors which say that the database's time limit stopped the statement. The statement may then have run,
 * whatever the error's code.
 */
const TIMED_OUT = /exceeded timeout/i;

/**
 * Returns `effect: unknown` if the statement may have run: it was interrupted, its answer was lost, or its error is
 * unknown.
 */
export function doubtfulEffect({ code }: Meaning, errorText: string): Pick<Meaning, "effect"> {
  const isDoubtful = code === "reset" || code === "answer_too_large" || code === UNKNOWN_ERROR.code;
  return isDoubtful || TIMED_OUT.test(errorText) ? { effect: "unknown" } : {};
}

/**
 * Returns the failure of a refused statement. `meaning` is the meaning of the database's error code, and overrides the
 * meaning of the error text.
 */
export function statementFailure(name: string, errorText: string, meaning: Meaning | null = null): Failure {
  const message = `the database ${name} refused the statement: ${errorText.slice(0, MESSAGE_EXCERPT_CHARS_MAX)}`;
  const known = { ...UNKNOWN_ERROR, ...(meaning ?? meaningOfText(errorText)) };
  return { error: { ...known, ...doubtfulEffect(known, errorText), message } };
}
