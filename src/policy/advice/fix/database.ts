// Suggested fixes for database statements: D1 by binding or HTTP, and libSQL.
import { transient, permanent, fixable, type Fixes } from "./entry.ts";

export const databaseFixes: Fixes = {
  constraint: fixable(
    "A row conflicts, perhaps from an earlier attempt. Check; then retry with other params, or archive it.",
  ),
  sql_invalid: fixable("Create the table or column, or correct sql, then retry."),
  params_invalid: fixable("The params do not match the statement: correct them, then retry."),
  statement_not_allowed: fixable("Allow this statement for the connection's token, or retry with another statement."),
  answer_too_large: permanent(
    "The statement may have run, and its result was too large. Check; then retry with a LIMIT.",
  ),
  overloaded: transient("The database was overloaded. Retry."),
  reset: transient("The database connection was lost, and it is unknown whether the statement ran: check repeatSafe."),
  database_error: fixable("Read the database's message; retry if it allows that."),
  database_not_open: fixable("Open the database to actions (ACTION_DATABASES), or retry with one that is open."),
  database_not_bound: fixable("Bind the database that ACTION_DATABASES names, then retry."),
  database_not_found: fixable("The database does not exist: correct the connection's databaseId, then retry."),
  account_not_allowed: fixable("The token may not use this account: correct the connection, then retry."),
  token_invalid: fixable("The connection's token was rejected: set it again, then retry."),
};
