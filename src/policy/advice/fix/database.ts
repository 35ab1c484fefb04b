// Statements on a database: D1, bound or over HTTP, and libSQL.
import { transient, permanent, fixable, type Fixes } from "./entry.ts";

export const databaseFixes: Fixes = {
  constraint: fixable(
    "A row stands in the way, perhaps an earlier try's. Look; retry with other params, or archive it.",
  ),
  sql_invalid: fixable("Create the table or column, or retry with sql put right."),
  params_invalid: fixable("The params do not fit the statement: retry with them put right."),
  statement_not_allowed: fixable("Allow the connection's token this statement, or retry with another one."),
  answer_too_large: permanent("The statement may have run, and its answer was too large. Look; retry with a LIMIT."),
  overloaded: transient("The database was overloaded. Retry."),
  reset: transient(
    "The connection to the database was lost. Whether the statement ran is unknown: look at repeatSafe.",
  ),
  database_error: fixable("Read the database's words; retry if they say that it may work now."),
  database_not_open: fixable("Open the database to actions (ACTION_DATABASES), or retry with one that is open."),
  database_not_bound: fixable("Bind the database that ACTION_DATABASES names, then retry."),
  database_not_found: fixable("There is no such database: set the connection's databaseId right, then retry."),
  account_not_allowed: fixable("The token may not use this account: set the connection right, then retry."),
  token_invalid: fixable("Set the connection's token anew: it was refused. Then retry."),
};
