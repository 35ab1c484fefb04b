// Bound databases: run a statement on a database that is bound to the Worker. A part of the database runner.
import { configurationFailure } from "../core/classify.ts";
import { statementFailure } from "./errors.ts";
import type { QueryResult, Statement } from "./rows.ts";
import type { RunnerContext } from "../core/runner.ts";

export async function queryBound(
  name: string,
  { sql, params }: Statement,
  { databases = {} }: RunnerContext,
): Promise<QueryResult> {
  const port = Object.hasOwn(databases, name) ? databases[name] : undefined;
  if (port === undefined) {
    const open = Object.keys(databases).join(", ") || "none";
    const message = `database: ${name} is not available to actions (available: ${open})`;
    return { ok: false, failure: configurationFailure(message, "database_not_open") };
  }
  try {
    return { ok: true, name, answer: await port.query(sql, params) };
  } catch (error) {
    return { ok: false, failure: statementFailure(name, error instanceof Error ? error.message : String(error)) };
  }
}
