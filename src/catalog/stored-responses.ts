// Stored responses: the response to a POST with an Idempotency-Key, kept for a day. Executions do not need it: their
// key is their id.
import { and, eq, isNull, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { isAudit } from "./audit.ts";
import type { Db } from "./db.ts";
import { keptAnswers } from "./tables/stored-responses.ts";

export type KeptAnswer = typeof keptAnswers.$inferSelect;
/** The reservation's owner, identified by when it began: a request that takes a reservation over starts a new one. */
export type Reservation = AnswerKey & { readonly fingerprint: string; readonly takenAt: number };
export type AnswerKey = { readonly tenant: string; readonly key: string; readonly route: string };

/** The row's status after a change; null: no change is recorded. */
const ANSWERED = 200;
/** Changed, as recorded in the change's own batch; its response is not known yet, or never will be. */
export const CHANGED = 202;

/** Reserves the key for the caller; null means reserved now, a row means an earlier request exists. */
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

/** An abandoned reservation goes to one of the requests that have read it: false for the others. */
export async function takeOverAnswer(db: Db, { createdAt, ...at }: KeptAnswer, now: number): Promise<boolean> {
  const asRead = and(is(at), isNull(keptAnswers.status), eq(keptAnswers.createdAt, createdAt));
  const taken = await db.update(keptAnswers).set({ createdAt: now }).where(asRead);
  return taken.meta.changes > 0;
}

/** Changes nothing if another request has taken the reservation over. */
export async function keepAnswer(db: Db, held: Reservation, body: string): Promise<void> {
  await db.update(keptAnswers).set({ status: ANSWERED, body }).where(isStill(held));
}

/** If nothing was changed, the next request with this key starts again. A recorded change stays reserved. */
export async function releaseAnswer(db: Db, held: Reservation): Promise<void> {
  await db.delete(keptAnswers).where(and(isStill(held), isNull(keptAnswers.status)));
}

/**
 * The catalog for a change with a reservation: each batch that changes something records so in the reservation, with
 * the response if it is known by then, and fails as a whole if another request owns the reservation.
 */
export function openDbFor(db: Db, held: Reservation, body: () => string | null): Db {
  const batch = async (statements: Statements): Promise<readonly unknown[]> => {
    const last = statements.at(-1);
    if (last === undefined || !isAudit(last)) return db.batch(statements);
    return (await db.batch([...statements, noteChanged(db, held, body())])).slice(0, -1);
  };
  return Object.create(db, { batch: { value: batch } }) as Db; // the overridden method accepts and returns the same
}

type Statements = readonly [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]];

/** Right after the audit row, which exists only if something was changed. */
function noteChanged(db: Db, held: Reservation, body: string | null) {
  const { tenant, key, route, fingerprint, takenAt } = held;
  const status = body === null ? CHANGED : ANSWERED;
  // Without our reservation there is no fingerprint, and a row without one rolls the whole batch back.
  const mine = sql`(SELECT fingerprint FROM ${keptAnswers} WHERE ${isStill(held)} AND fingerprint = ${fingerprint})`;
  const row = sql`SELECT ${tenant}, ${key}, ${route}, ${mine}, ${status}, ${body}, ${takenAt} WHERE changes() > 0`;
  const set = { status, body };
  const target = [keptAnswers.tenant, keptAnswers.key, keptAnswers.route];
  return db.insert(keptAnswers).select(row).onConflictDoUpdate({ target, set });
}

/** The batch was rolled back, because another request owns its reservation. */
export function isReservationLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message.includes("stored_responses.fingerprint") || isReservationLost(error.cause);
}

/** Purges one bounded chunk; returns the number of rows. */
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
