// Suggested fixes for database statements: D1 by binding or HTTP, and libSQL.
import { transient, permanent, fixable, type Fixes } from "./entry.ts";

export const databaseFixes: Fixes = {
  constraint: fixable(
    "The statement conflicts with an existing row, perhaps from an earlier attempt. Check the row. Then retry with other params, or archive the dead letter.",
  ),
  sql_invalid: fixable(
    "The database cannot execute the statement. Create the missing table or column, or correct the field sql, then retry.",
  ),
  params_invalid: fixable("The params do not match the statement. Correct the params, then retry."),
  statement_not_allowed: fixable(
    "The connection's token may not run this statement. Allow the statement, or retry with another statement.",
  ),
  answer_too_large: permanent(
    "The result was too large, and the statement may have run. Check the database, then retry with a LIMIT.",
  ),
  overloaded: transient("The database was overloaded. Retry."),
  reset: transient(
    "The connection to the database broke, and it is unknown whether the statement ran. Check the field repeatSafe before you retry.",
  ),
  database_error: fixable("Read the database's message, correct the cause, then retry."),
  database_not_open: fixable(
    "Actions may not use this database. Add it to ACTION_DATABASES, or retry with another database.",
  ),
  database_not_bound: fixable("Bind the database that ACTION_DATABASES names to the Worker, then retry."),
  database_not_found: fixable("The database does not exist: correct the connection's databaseId, then retry."),
  account_not_allowed: fixable(
    "The connection's token may not use the database's account. Correct the connection, then retry.",
  ),
  token_invalid: fixable("The connection's token was rejected. Set the token's secret again, then retry."),
};
