// Tells whoever asked (scripts/record-statements.ts) which statements the code under test sends to D1, with parameters that
// it sent along: what a release reads and writes, kept so that the next one's tables can be tried with it.
import { env } from "cloudflare:workers";

/** Given by vitest.config.ts; empty unless somebody records. */
const { DB, RECORD_STATEMENTS: to } = env as unknown as { DB: D1Database; RECORD_STATEMENTS: string };

const PARAMETERS_CHARS_MAX = 4_000;

if (to !== "") {
  const seen = new Set<string>();
  const send = fetch;
  const note = (sql: string, parameters: unknown[]): void => {
    const body = JSON.stringify([sql, parameters]);
    if (seen.has(sql) || body.length > sql.length + PARAMETERS_CHARS_MAX) return;
    seen.add(sql);
    // One that gets lost is told by the next that sends it.
    send(to, { method: "POST", body }).catch(() => seen.delete(sql));
  };
  const prototype = Object.getPrototypeOf(DB) as D1Database;
  const { prepare } = prototype;
  prototype.prepare = function (this: D1Database, sql: string) {
    const statement = prepare.call(this, sql);
    const bind = statement.bind.bind(statement);
    if (!sql.includes("?")) note(sql, []);
    statement.bind = (...parameters: unknown[]) => {
      note(sql, parameters);
      return bind(...parameters);
    };
    return statement;
  };
}
