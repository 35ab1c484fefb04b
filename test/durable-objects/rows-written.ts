// The rows that objects write to their storage, as their cursors count them.
import { runInDurableObject } from "cloudflare:test";

export type RowsWritten = { count: number };

/** On the prototype, which tests and objects share. */
export async function countRows(stub: DurableObjectStub): Promise<RowsWritten> {
  const rows = { count: 0 };
  await runInDurableObject(stub, (_object, { storage }) => {
    const prototype = Object.getPrototypeOf(storage.sql) as {
      exec: (...args: unknown[]) => { readonly rowsWritten: number };
    };
    const { exec } = prototype;
    prototype.exec = function (...args) {
      const cursor = exec.apply(this, args);
      rows.count += cursor.rowsWritten;
      return cursor;
    };
  });
  return rows;
}
