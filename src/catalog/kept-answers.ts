// What was answered to a POST with an Idempotency-Key, for a day. Executions do not need it: their key is their id.
import { and, eq, isNull, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { isAudit } from "./audit.ts";
import type { Db } from "./db.ts";
import { keptAnswers } from "./tables/kept-answers.ts";

export type KeptAnswer = typeof keptAnswers.$inferSelect;
/** Whose turn it is, told by when it began: whoever takes a reservation over begins anew. */
export type Reservation = AnswerKey & { readonly fingerprint: string; readonly takenAt: number };
export type AnswerKey = { readonly tenant: string; readonly key: string; readonly route: string };

/** What the row's status says once a change has been made; null: nobody knows of one. */
const ANSWERED = 200;
/** Made, in the batch that says so; its answer is not known yet, or never will be. */
export const CHANGED = 202;

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

/** An abandoned reservation goes to one of those who have read it: false for the others. */
export async function takeOverAnswer(db: Db, { createdAt, ...at }: KeptAnswer, now: number): Promise<boolean> {
  const asRead = and(is(at), isNull(keptAnswers.status), eq(keptAnswers.createdAt, createdAt));
  const taken = await db.update(keptAnswers).set({ createdAt: now }).where(asRead);
  return taken.meta.changes > 0;
}

/** Nothing happens where somebody else has taken the reservation over. */
export async function keepAnswer(db: Db, held: Reservation, body: string): Promise<void> {
  await db.update(keptAnswers).set({ status: ANSWERED, body }).where(isStill(held));
}

/** Nothing has been changed: the next request with this key is tried afresh. What has been changed stays reserved. */
export async function releaseAnswer(db: Db, held: Reservation): Promise<void> {
  await db.delete(keptAnswers).where(and(isStill(held), isNull(keptAnswers.status)));
}

/**
 * The catalog for the change that holds a reservation: each batch that changes something says so in the reservation,
 * with the answer where it is known by then, and fails as a whole where the reservation is somebody else's by now.
 */
export function openDbFor(db: Db, held: Reservation, body: () => string | null): Db {
  const batch = async (statements: Statements): Promise<readonly unknown[]> => {
    const last = statements.at(-1);
    if (last === undefined || !isAudit(last)) return db.batch(statements);
    return (await db.batch([...statements, noteChanged(db, held, body())])).slice(0, -1);
  };
  return Object.create(db, { batch: { value: batch } }) as Db; // what it overrides takes and gives the same
}

type Statements = readonly [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]];

/** Right after the audit row, which is there only where something has changed. */
function noteChanged(db: Db, held: Reservation, body: string | null) {
  const { tenant, key, route, fingerprint, takenAt } = held;
  const status = body === null ? CHANGED : ANSWERED;
  // Without a reservation of ours there is no fingerprint, and a row without one takes the whole batch back.
  const mine = sql`(SELECT fingerprint FROM ${keptAnswers} WHERE ${isStill(held)} AND fingerprint = ${fingerprint})`;
  const row = sql`SELECT ${tenant}, ${key}, ${route}, ${mine}, ${status}, ${body}, ${takenAt} WHERE changes() > 0`;
  const set = { status, body };
  const target = [keptAnswers.tenant, keptAnswers.key, keptAnswers.route];
  return db.insert(keptAnswers).select(row).onConflictDoUpdate({ target, set });
}

/** The batch was taken back, because its reservation is somebody else's by now. */
export function isReservationLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message.includes("stored_responses.fingerprint") || isReservationLost(error.cause);
}

/** One bounded chunk; says how many rows went. */
export async function purgeAnswers(db: Db, before: number, limit: number): Promise<number> {
  const result = await db.run(sql`
    DELETE FROM ${keptAnswers} WHERE (tenant, key, route) IN
      (SELECT tenant, key, route FROM stored_responses WHERE created_at < ${before} LIMIT ${limit})`);
  return result.meta.changes;
}

function isStill(held: Reservation) {
  return and(is(held), eq(keptAnswers.createdAt, held.takenAt));
}

function is({ tenant, key, route }: AnswerKey) {
  return and(eq(keptAnswers.tenant, tenant), eq(keptAnswers.key, key), eq(keptAnswers.route, route));
}
