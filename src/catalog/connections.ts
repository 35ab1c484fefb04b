// Reads connections by name or id. Names that start like an id are refused at creation.
import { and, asc, eq, inArray, isNotNull, notInArray } from "drizzle-orm";
import type { Attention } from "#schema/gate.ts";
import { isIdOf } from "#schema/ids.ts";
import type { ProviderSet } from "#schema/provider/providers.ts";
import type { Result } from "#schema/refusal.ts";
import type { Db } from "./db.ts";
import { findById, findNamed, listNamed, live, type Named } from "./named.ts";
import type { Page } from "./page.ts";
import { connections } from "./tables/connections.ts";

export type StoredConnection = typeof connections.$inferSelect;
export const connectionRows: Named<StoredConnection> = connections;

export async function findConnection(db: Db, tenant: string, ref: string): Promise<StoredConnection | null> {
  return isIdOf("con", ref) ? findById(db, connections, tenant, ref) : findNamed(db, connections, tenant, ref);
}

/**
 * Returns up to five connections of these providers, by name. The caller only needs to know whether there are several.
 */
export async function connectionsOf(
  db: Db,
  tenant: string,
  { kind, providers }: ProviderSet,
): Promise<readonly StoredConnection[]> {
  const isListed = (kind === "only" ? inArray : notInArray)(connections.provider, [...providers]);
  const ofProvider = and(live(connections, tenant), isListed);
  return db.select().from(connections).where(ofProvider).orderBy(asc(connections.name)).limit(5);
}

/** Lists connections by name. */
export async function listConnections(
  db: Db,
  tenant: string,
  provider: string | null,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<StoredConnection>>> {
  const only = provider === null ? undefined : eq(connections.provider, provider);
  return listNamed(db, connections, tenant, cursor, limit, only);
}

/**
 * Stores why the provider rejects the connection's account, or that it accepts the account again. `updatedAt` stays
 * unchanged, because no operator changed the connection.
 */
export async function storeAttention(db: Db, tenant: string, id: string, attention: Attention | null): Promise<void> {
  await db
    .update(connections)
    .set({ attention })
    .where(and(eq(connections.tenant, tenant), eq(connections.id, id)));
}

/** Returns the connections whose providers currently reject the account. */
export async function listRejectedConnections(db: Db, tenant: string): Promise<readonly StoredConnection[]> {
  return db
    .select()
    .from(connections)
    .where(and(live(connections, tenant), isNotNull(connections.attention)));
}
