// Stores encrypted secrets. Without the Worker's keys a row cannot be decrypted. A change replaces the row and
// increments its version.
import { and, asc, eq, getTableColumns, gt, ne, sql } from "drizzle-orm";
import { z } from "zod";
import type { AuditRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { auditIfChanged } from "./audit.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import { insertIfRoom, quotaUse, type QuotaUse } from "./quotas.ts";
import { secrets } from "./tables/secrets.ts";

export type StoredSecret = typeof secrets.$inferSelect;
/** The fields that API responses may contain. */
export type SecretSummary = Pick<StoredSecret, "name" | "version" | "hosts" | "createdAt" | "updatedAt">;
/**
 * A secret's value, encrypted again under another key. `keyIdBefore` is the id of the key that encrypted the stored
 * value.
 */
export type ReencryptedSecret = Pick<StoredSecret, "tenant" | "name" | "version" | "keyId" | "iv" | "ciphertext"> & {
  readonly keyIdBefore: string;
};

const { name, version, hosts, createdAt, updatedAt } = getTableColumns(secrets);
const summary = { name, version, hosts, createdAt, updatedAt };

/**
 * Inserts or replaces a secret. A new secret is not stored if the quota is used up. The statement increments the
 * version, so two concurrent changes give two versions. Without `hosts`, the stored restriction to hosts is kept.
 */
export async function putSecret(
  db: Db,
  row: Omit<StoredSecret, "hosts"> & { readonly hosts: StoredSecret["hosts"] | undefined },
  audit: AuditRow,
): Promise<{ readonly stored: SecretSummary | null } & QuotaUse> {
  const { tenant, name: secretName, keyId, iv, ciphertext, hosts: newHosts, updatedAt: now } = row;
  const exists = sql`EXISTS (SELECT 1 FROM secrets WHERE tenant = ${tenant} AND name = ${secretName})`;
  const put = insertIfRoom(db, secrets, "secrets", { ...row, hosts: newHosts ?? null }, { orElse: exists })
    .onConflictDoUpdate({
      target: [secrets.tenant, secrets.name],
      set: {
        keyId,
        iv,
        ciphertext,
        updatedAt: now,
        version: sql`${secrets.version} + 1`,
        ...(newHosts === undefined ? {} : { hosts: newHosts }),
      },
    })
    .returning(summary);
  const [[room], [stored]] = await db.batch([quotaUse(db, "secrets", tenant), put, auditIfChanged(db, audit)]);
  const added = stored?.version === 1 ? 1 : 0;
  return { stored: stored ?? null, used: (room?.used ?? 0) + added, max: room?.max ?? 0 };
}

export async function findSecret(db: Db, tenant: string, secretName: string): Promise<StoredSecret | null> {
  const ofName = and(eq(secrets.tenant, tenant), eq(secrets.name, secretName));
  return (await db.select().from(secrets).where(ofName).get()) ?? null;
}

/**
 * Changes the hosts that a secret may be sent to, without changing its value or version. Returns null if the secret
 * does not exist.
 */
export async function restrictSecret(
  db: Db,
  {
    tenant,
    name: secretName,
    hosts: newHosts,
    updatedAt: now,
  }: Pick<StoredSecret, "tenant" | "name" | "hosts" | "updatedAt">,
  audit: AuditRow,
): Promise<SecretSummary | null> {
  const bind = db
    .update(secrets)
    .set({ hosts: newHosts, updatedAt: now })
    .where(and(eq(secrets.tenant, tenant), eq(secrets.name, secretName)))
    .returning(summary);
  const [[bound]] = await db.batch([bind, auditIfChanged(db, audit)]);
  return bound ?? null;
}

/** Returns those of the names that are set as secrets, each with its allowed hosts. It makes one query. */
export async function findSecretHosts(
  db: Db,
  tenant: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, StoredSecret["hosts"]>> {
  const hasName = sql`${secrets.name} IN (SELECT value FROM json_each(${JSON.stringify(names)}))`;
  const rows = await db
    .select({ name, hosts })
    .from(secrets)
    .where(and(eq(secrets.tenant, tenant), hasName));
  return new Map(rows.map((row) => [row.name, row.hosts]));
}

/** Lists secrets by name. */
export async function listSecrets(
  db: Db,
  tenant: string,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<SecretSummary>>> {
  const after = decodeCursor(cursor, z.tuple([z.string()]));
  if (!after.ok) return after;
  const rows = await db
    .select(summary)
    .from(secrets)
    .where(and(eq(secrets.tenant, tenant), after.value === null ? undefined : gt(secrets.name, after.value[0])))
    .orderBy(asc(secrets.name))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.name]));
}

/** Deletes a secret; returns false if it did not exist. */
export async function deleteSecret(db: Db, tenant: string, secretName: string, audit: AuditRow): Promise<boolean> {
  const gone = db.delete(secrets).where(and(eq(secrets.tenant, tenant), eq(secrets.name, secretName)));
  const [result] = await db.batch([gone, auditIfChanged(db, audit)]);
  return result.meta.changes > 0;
}

/** Lists secrets that are encrypted under a key other than `keyId`. `tenant` null: of all tenants. */
export async function listWithOtherKey(
  db: Db,
  tenant: string | null,
  keyId: string,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<StoredSecret>>> {
  const after = decodeCursor(cursor, z.tuple([z.string(), z.string()]));
  if (!after.ok) return after;
  const page = after.value === null ? undefined : sql`(tenant, name) > (${after.value[0]}, ${after.value[1]})`;
  const rows = await db
    .select()
    .from(secrets)
    .where(and(hasOtherKey(tenant, keyId), page))
    .orderBy(asc(secrets.tenant), asc(secrets.name))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.tenant, last.name]));
}

export async function countWithOtherKey(db: Db, tenant: string | null, keyId: string): Promise<number> {
  return db.$count(secrets, hasOtherKey(tenant, keyId));
}

/**
 * Stores secrets that were encrypted again; returns the number of replaced rows. Secrets changed since they were read
 * are newer and are not replaced.
 */
export async function replaceEncrypted(
  db: Db,
  rows: readonly ReencryptedSecret[],
  audits: readonly AuditRow[],
): Promise<number> {
  const field = (name: keyof ReencryptedSecret) => sql`j.value ->> ${sql.raw(`'$.${name}'`)}`;
  const replace = db
    .update(secrets)
    .set({ keyId: field("keyId"), iv: field("iv"), ciphertext: field("ciphertext") })
    .from(sql`json_each(${JSON.stringify(rows)}) j`)
    .where(
      and(
        eq(secrets.tenant, field("tenant")),
        eq(secrets.name, field("name")),
        eq(secrets.version, field("version")),
        eq(secrets.keyId, field("keyIdBefore")),
      ),
    );
  const [replaced] = await db.batch([replace, ...audits.map((row) => auditIfChanged(db, row))]);
  return replaced.meta.changes;
}

function hasOtherKey(tenant: string | null, keyId: string) {
  return and(tenant === null ? undefined : eq(secrets.tenant, tenant), ne(secrets.keyId, keyId));
}
