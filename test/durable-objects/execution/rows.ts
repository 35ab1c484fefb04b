// Reads the rows in an object's storage.
import { wakeOfArmed } from "#objects/execution/alarm.ts";
import { runInDurableObject } from "cloudflare:test";
import type { Engine } from "#test/flows/engine.ts";
import { unpackBody, type PackedBody } from "#objects/execution/stored/packing.ts";
import type { Parsed } from "#test/support/api.ts";

export type Row = {
  readonly execution: string;
  readonly page: number;
  readonly wake_at: number | null;
  readonly turn: number;
  readonly sent: number;
  readonly body: Parsed;
};
/** `alarm`: the wake for which the alarm is set, epoch ms. */
export type Stored = { readonly rows: readonly Row[]; readonly alarm: number | null };

export async function stored(stub: ReturnType<Engine["stub"]>): Promise<Stored> {
  return runInDurableObject(stub, async (_object, { storage }) => {
    const made = storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'rows'").toArray().length > 0;
    const rows = made ? storage.sql.exec("SELECT * FROM rows ORDER BY execution, page").toArray() : [];
    return {
      rows: rows.map((row) => ({ ...row, body: JSON.parse(unpackBody(row.body as PackedBody)) }) as unknown as Row),
      alarm: wakeOfArmed(await storage.getAlarm()),
    };
  });
}
