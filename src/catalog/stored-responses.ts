// Stored responses: the response to a POST with an Idempotency-Key, kept for a day. Executions do not need it: their
// key is their id.
import { and, eq, isNull, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { isAudit } from "./audit.ts";
import type { Db } from "./db.ts";
import { storedResponses } from "./tables/stored-responses.ts";

export type StoredResponse = typeof storedResponses.$inferSelect;
/** The reservation's owner, identified by when it began: a request that takes a reservation over starts a new one. */
export type Reservation = AnswerKey & { readonly fingerprint: string; readonly takenAt: number };
export type AnswerKey = { readonly tenant: string; readonly key: string; readonly route: string };

/** The row's status after a change; null: no change is recorded. */
const ANSWERED = 200;
/** Changed, as recorded in the change's own batch; its response is not known yet, or never will be. */
export const CHANGED = 202;

/** Reserves the key for the caller; null means reserved now, a row means an earlier request exists. */
export async function reserveResponse(
  db: Db,
  at: AnswerKey,
  fingerprint: string,
  createdAt: number,
): Promise<StoredResponse | null> {
  const row = { ...at, fingerprint, status: null, body: null, createdAt };
  const [inserted, held] = await db.batch([
    db.insert(storedResponses).values(row).onConflictDoNothing(),
    db.select().from(storedResponses).where(is(at)),
  ]);
  return inserted.meta.changes > 0 ? null : (held[0] ?? null);
}

/** An abandoned reservation goes to one of the requests that have read it: false for the others. */
export async function takeOverResponse(db: Db, { createdAt, ...at }: StoredResponse, now: number): Promise<boolean> {
  const asRead = and(is(at), isNull(storedResponses.status), eq(storedResponses.createdAt, createdAt));
  const taken = await db.update(storedResponses).set({ createdAt: now }).where(asRead);
  return taken.meta.changes > 0;
}

/** Changes nothing if another request has taken the reservation over. */
export async function storeResponse(db: Db, held: Reservation, body: string): Promise<void> {
  await db.update(storedResponses).set({ status: ANSWERED, body }).where(isStill(held));
}

/** If nothing was changed, the next request with this key starts again. A recorded change stays reserved. */
export async function releaseResponse(db: Db, held: Reservation): Promise<void> {
  await db.delete(storedResponses).where(and(isStill(held), isNull(storedResponses.status)));
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
  const mine = sql`(SELECT fingerprint FROM ${storedResponses} WHERE ${isStill(held)} AND fingerprint = ${fingerprint})`;
  const row = sql`SELECT ${tenant}, ${key}, ${route}, ${mine}, ${status}, ${body}, ${takenAt} WHERE changes() > 0`;
  const set = { status, body };
  const target = [storedResponses.tenant, storedResponses.key, storedResponses.route];
  return db.insert(storedResponses).select(row).onConflictDoUpdate({ target, set });
}

/** The batch was rolled back, because another request owns its reservation. */
export function isReservationLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message.includes("stored_responses.fingerprint") || isReservationLost(error.cause);
}

/** Purges one bounded chunk; returns the number of rows. */
export async function purgeResponses(db: Db, before: number, limit: number): Promise<number> {
  const result = await db.run(sql`
    DELETE FROM ${storedResponses} WHERE (tenant, key, route) IN
      (SELECT tenant, key, route FROM stored_responses WHERE created_at < ${before} LIMIT ${limit})`);
  return result.meta.changes;
}

function isStill(held: Reservation) {
  return and(is(held), eq(storedResponses.createdAt, held.takenAt));
}

function is({ tenant, key, route }: AnswerKey) {
  return and(eq(storedResponses.tenant, tenant), eq(storedResponses.key, key), eq(storedResponses.route, route));
}
