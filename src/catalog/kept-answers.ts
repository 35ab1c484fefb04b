// What was answered to a POST with an Idempotency-Key, for a day. Executions do not need it: their key is their id.
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "./db.ts";
import { keptAnswers } from "./tables/kept-answers.ts";

export type KeptAnswer = typeof keptAnswers.$inferSelect;
export type AnswerKey = { readonly tenant: string; readonly key: string; readonly route: string };

/** Takes the key for the caller; null means taken now, a row means somebody has been here. */
export async function reserveAnswer(
  db: Db,
  at: AnswerKey,
  fingerprint: string,
  createdAt: number,
): Promise<KeptAnswer | null> {
  const row = { ...at, fingerprint, status: null, body: null, createdAt };
  const [inserted, held] = await db.batch([
    db.insert(keptAnswers).values(row).onConflictDoNothing(),
    db.select().from(keptAnswers).where(is(at)),
  ]);
  return inserted.meta.changes > 0 ? null : (held[0] ?? null);
}

export async function keepAnswer(db: Db, at: AnswerKey, status: number, body: string): Promise<void> {
  await db.update(keptAnswers).set({ status, body }).where(is(at));
}

/** The request failed in a way that may pass: the next one with this key is tried afresh. */
export async function releaseAnswer(db: Db, at: AnswerKey): Promise<void> {
  await db.delete(keptAnswers).where(and(is(at), isNull(keptAnswers.status)));
}

/** One bounded chunk; says how many rows went. */
export async function purgeAnswers(db: Db, before: number, limit: number): Promise<number> {
  const result = await db.run(sql`
    DELETE FROM ${keptAnswers} WHERE (tenant, key, route) IN
      (SELECT tenant, key, route FROM idempotency WHERE created_at < ${before} LIMIT ${limit})`);
  return result.meta.changes;
}

function is({ tenant, key, route }: AnswerKey) {
  return and(eq(keptAnswers.tenant, tenant), eq(keptAnswers.key, key), eq(keptAnswers.route, route));
}
