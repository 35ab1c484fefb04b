// Suggested fixes for database statements: D1 by binding or HTTP, and libSQL.
import { transient, permanent, fixable, type Fixes } from "./entry.ts";

export const databaseFixes: Fixes = {
  constraint: fixable(
    "The statement conflicts with an existing row, perhaps from an earlier attempt. Check the row, then retry with other params, or archive the dead letter.",
  ),
  sql_invalid: fixable("Create the table or column, or correct the field sql, then retry."),
  params_invalid: fixable("The params do not match the statement: correct them, then retry."),
  statement_not_allowed: fixable(
    "The connection's token may not run this statement. Allow it, or retry with another statement.",
  ),
  answer_too_large: permanent(
    "The result was too large, and the statement may have run. Check the database, then retry with a LIMIT.",
  ),
  overloaded: transient("The database was overloaded. Retry."),
  reset: transient("The database connection was lost, and it is unknown whether the statement ran: check repeatSafe."),
  database_error: fixable("Read the database's message, correct the cause, then retry."),
  database_not_open: fixable("Add the database to ACTION_DATABASES, or retry with a database that actions may use."),
  database_not_bound: fixable("Bind the database that ACTION_DATABASES names to the Worker, then retry."),
  database_not_found: fixable("The database does not exist: correct the connection's databaseId, then retry."),
  account_not_allowed: fixable("The token may not use this account: correct the connection, then retry."),
  token_invalid: fixable("The connection's token was rejected. Set the token's secret again, then retry."),
};
