// Restores the objects of the previous release, as they are after a deployment.
import { runInDurableObject } from "cloudflare:test";
import { evict } from "#test/flows/lives/evict.ts";
import { type Kind, type Stored, type StoredObjects, stubOf } from "./every-kind.ts";
import recorded from "./previous-release.json";

export const previous = recorded as unknown as StoredObjects; // scripts/record-release.ts wrote this file

export async function restored<Api>(kind: Kind): Promise<Api> {
  const { name, stored } = previous[kind];
  return restoredAs<Api>(kind, name, stored);
}

/** Opens an object of this kind with these rows. */
export async function restoredAs<Api>(kind: Kind, name: string, stored: Stored): Promise<Api> {
  const stub = stubOf(kind, name);
  await runInDurableObject(stub, (_object: unknown, { storage }: DurableObjectState) => {
    for (const [table, { sql, rows }] of Object.entries(stored)) {
      storage.sql.exec(`DROP TABLE IF EXISTS ${table}`);
      storage.sql.exec(sql);
      for (const row of rows) {
        const values = Object.values(row) as SqlStorageValue[];
        storage.sql.exec(`INSERT INTO ${table} VALUES (${values.map(() => "?").join(", ")})`, ...values);
      }
    }
  });
  await evict(stub);
  return stub as unknown as Api; // RPC stubs answer what the class declares
}
