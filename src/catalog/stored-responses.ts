// Stores responses to requests with an Idempotency-Key, for a day. Responses to starts of executions are not stored,
// because the key determines the execution's id.
import { and, eq, isNull, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { isAudit } from "./audit.ts";
import type { Db } from "./db.ts";
import { storedResponses } from "./tables/stored-responses.ts";

export type StoredResponse = typeof storedResponses.$inferSelect;
/**
 * An Idempotency-Key that a request has reserved. `reservedAt` (the column created_at) identifies the request: a
 * request that takes the key over writes another instant.
 */
export type Reservation = ResponseKey & { readonly fingerprint: string; readonly reservedAt: number };
export type ResponseKey = { readonly tenant: string; readonly key: string; readonly route: string };

/** The status of a row whose response is stored. A reserved row has the status null. */
const ANSWERED = 200;
/** The status of a row whose request has changed something and has no stored response. */
export const CHANGED = 202;

/**
 * Reserves the key for the request. Returns null if the key was free; otherwise returns the row of the earlier request.
 */
export async function reserveResponse(
  db: Db,
  responseKey: ResponseKey,
  fingerprint: string,
  reservedAt: number,
): Promise<StoredResponse | null> {
  const row = { ...responseKey, fingerprint, status: null, body: null, createdAt: reservedAt };
  const [inserted, reservation] = await db.batch([
    db.insert(storedResponses).values(row).onConflictDoNothing(),
    db.select().from(storedResponses).where(isKey(responseKey)),
  ]);
  return inserted.meta.changes > 0 ? null : (reservation[0] ?? null);
}

/**
 * Takes over the reservation of a request that was lost. If several concurrent requests try this, it returns true for
 * one of them and false for the others.
 */
export async function takeOverResponse(
  db: Db,
  { createdAt: reservedAt, ...responseKey }: StoredResponse,
  now: number,
): Promise<boolean> {
  const isUnchanged = and(
    isKey(responseKey),
    isNull(storedResponses.status),
    eq(storedResponses.createdAt, reservedAt),
  );
  const updated = await db.update(storedResponses).set({ createdAt: now }).where(isUnchanged);
  return updated.meta.changes > 0;
}

/** Stores the response, unless another request has taken the reservation over. */
export async function storeResponse(db: Db, reservation: Reservation, body: string): Promise<void> {
  await db.update(storedResponses).set({ status: ANSWERED, body }).where(isOwnReservation(reservation));
}

/**
 * Deletes the reservation of a request that changed nothing, so that the next request with the key runs again. A
 * recorded change is kept.
 */
export async function releaseResponse(db: Db, reservation: Reservation): Promise<void> {
  await db.delete(storedResponses).where(and(isOwnReservation(reservation), isNull(storedResponses.status)));
}

/**
 * Returns a catalog for the change of a request with a reservation. Each batch with a client's change also marks the
 * reservation as changed, and stores the response if `body` returns it. The batch is recognized by its audit row, and the
 * mark directly follows this row. The batch fails as a whole if another request owns the reservation.
 */
export function dbRecordingChange(db: Db, reservation: Reservation, body: () => string | null): Db {
  const batch = async (statements: Statements): Promise<readonly unknown[]> => {
    const [first, ...rest] = statements;
    const audited = rest.findIndex(isAudit) + 1;
    if (audited === 0) return db.batch(statements);
    const marked = rest.toSpliced(audited, 0, markChanged(db, reservation, body()));
    return (await db.batch([first, ...marked])).toSpliced(audited + 1, 1);
  };
  return Object.create(db, { batch: { value: batch } }) as Db; // the overriding method accepts and returns the same types
}

type Statements = readonly [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]];

/**
 * Returns the statement that marks the reservation as changed. It directly follows the audit row in the batch, and
 * writes only if the audit row was written.
 */
function markChanged(db: Db, reservation: Reservation, body: string | null) {
  const { tenant, key, route, fingerprint, reservedAt } = reservation;
  const status = body === null ? CHANGED : ANSWERED;
  // If another request owns the reservation, `ownFingerprint` is null. The column is NOT NULL, so the whole batch is
  // then rolled back.
  const ownFingerprint = sql`(SELECT fingerprint FROM ${storedResponses} WHERE ${isOwnReservation(reservation)} AND fingerprint = ${fingerprint})`;
  // The values have the order of the table's columns, because the SELECT does not name them.
  const row = sql`SELECT ${tenant}, ${key}, ${route}, ${ownFingerprint}, ${status}, ${body}, ${reservedAt} WHERE changes() > 0`;
  const set = { status, body };
  const target = [storedResponses.tenant, storedResponses.key, storedResponses.route];
  return db.insert(storedResponses).select(row).onConflictDoUpdate({ target, set });
}

/** Returns whether the error means that another request owns the reservation, so that the batch was rolled back. */
export function isReservationLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message.includes("stored_responses.fingerprint") || isReservationLost(error.cause);
}

/** Deletes up to `limit` responses stored before `before`; returns the number of deleted rows. */
export async function purgeResponses(db: Db, before: number, limit: number): Promise<number> {
  const result = await db.run(sql`
    DELETE FROM ${storedResponses} WHERE (tenant, key, route) IN
      (SELECT tenant, key, route FROM stored_responses WHERE created_at < ${before} LIMIT ${limit})`);
  return result.meta.changes;
}

function isOwnReservation(reservation: Reservation) {
  return and(isKey(reservation), eq(storedResponses.createdAt, reservation.reservedAt));
}

function isKey({ tenant, key, route }: ResponseKey) {
  return and(eq(storedResponses.tenant, tenant), eq(storedResponses.key, key), eq(storedResponses.route, route));
}
