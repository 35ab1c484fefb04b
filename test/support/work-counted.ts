// What an answer costs, counted instead of timed: statements sent to the catalog, and calls of the platform's cryptography.
import { vi } from "vitest";
import { openDb, type Db } from "#catalog/db.ts";
import { database } from "./catalog.ts";

export type Work = { readonly statements: number; readonly digests: number; readonly openings: number };

/** A catalog of which is known how often it was asked. */
export function countedDb(): { readonly db: Db; readonly asked: () => number } {
  const binding = database();
  let count = 0;
  const counted = new Proxy(binding, {
    get: (target, name) => {
      if (name === "prepare" || name === "batch") count += 1;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { db: openDb(counted), asked: () => count };
}

/** What `work` takes, all in all. */
export async function workOf(asked: () => number, work: () => Promise<unknown>): Promise<Work> {
  const before = asked();
  const sign = vi.spyOn(crypto.subtle, "sign");
  const decrypt = vi.spyOn(crypto.subtle, "decrypt");
  try {
    await work();
    return { statements: asked() - before, digests: sign.mock.calls.length, openings: decrypt.mock.calls.length };
  } finally {
    sign.mockRestore();
    decrypt.mockRestore();
  }
}
