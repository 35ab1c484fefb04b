// Counts the rows that an object writes, as its cursors report them.
import { runInDurableObject } from "cloudflare:test";
import { onTestFinished } from "vitest";

export type RowsWritten = { count: number };

/** Counts the rows of this object, until the test ends or the object is evicted. */
export async function countRows(stub: DurableObjectStub): Promise<RowsWritten> {
  const rows = { count: 0 };
  await runInDurableObject(stub, (_object, { storage: { sql: mine } }) => {
    const prototype = Object.getPrototypeOf(mine) as { exec: (...args: unknown[]) => { readonly rowsWritten: number } };
    const { exec } = prototype;
    prototype.exec = function (...args) {
      const cursor = exec.apply(this, args);
      if ((this as unknown) === mine) rows.count += cursor.rowsWritten;
      return cursor;
    };
    onTestFinished(() => void (prototype.exec = exec));
  });
  return rows;
}
