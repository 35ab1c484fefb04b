// A catalog that counts the rows that its queries read.
import { database } from "../catalog.ts";

/** Drizzle discards the figures of a query, so `raw` runs each query a second time for them. */
export function metered(): { rows: number; readonly binding: D1Database } {
  const count = { rows: 0 };
  const prepare = (sql: string) => {
    const bind = (...parameters: unknown[]) => {
      const statement = database()
        .prepare(sql)
        .bind(...parameters);
      if (!/^select/i.test(sql)) return statement;
      const all = async () => {
        const result = await statement.all();
        count.rows += result.meta.rows_read;
        return result;
      };
      const raw = async () => {
        await all();
        return statement.raw();
      };
      return Object.assign(Object.create(statement), { raw, all });
    };
    return { bind };
  };
  const batch = (statements: D1PreparedStatement[]) => database().batch(statements);
  const binding = { prepare, batch } as unknown as D1Database; // the part of it that drizzle calls
  return Object.assign(count, { binding });
}
