// Reads triggers by name or id. Names that start like an id are refused at creation.
import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import { isIdOf } from "#schema/ids.ts";
import type { TriggerKind } from "#schema/inbound/started-by.ts";
import type { Result } from "#schema/refusal.ts";
import type { Db } from "./db.ts";
import { findById, findNamed, listNamed, type Named } from "./named.ts";
import type { Page } from "./page.ts";
import { triggers } from "./tables/triggers.ts";

export type StoredTrigger = typeof triggers.$inferSelect;
export const triggerRows: Named<StoredTrigger> = triggers;

export type TriggerFilters = {
  readonly kind?: TriggerKind | undefined;
  readonly namespace?: string | undefined;
  readonly enabled?: boolean | undefined;
  /** A label: "name=value" matches this value, and a name alone matches any value. */
  readonly label?: string | undefined;
};

export async function findTrigger(db: Db, tenant: string, ref: string): Promise<StoredTrigger | null> {
  return isIdOf("trg", ref) ? findById(db, triggers, tenant, ref) : findNamed(db, triggers, tenant, ref);
}

/** Lists triggers by name. */
export async function listTriggers(
  db: Db,
  tenant: string,
  filters: TriggerFilters,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<StoredTrigger>>> {
  return listNamed(db, triggers, tenant, cursor, limit, and(...conditions(filters)));
}

function conditions({ kind, namespace, enabled, label }: TriggerFilters): (SQL | undefined)[] {
  return [
    kind === undefined ? undefined : eq(triggers.kind, kind),
    namespace === undefined ? undefined : eq(triggers.namespace, namespace),
    enabled === undefined ? undefined : sql`(credentials ->> '$.disabled' IS NULL) = ${enabled ? 1 : 0}`,
    label === undefined ? undefined : hasLabel(label),
  ];
}

function hasLabel(label: string): SQL {
  const [name = "", ...value] = label.split("=");
  const exists = sql`EXISTS (SELECT 1 FROM json_each(${triggers.labels}) l WHERE l.key = ${name}`;
  return value.length === 0 ? sql`${exists})` : sql`${exists} AND l.value = ${value.join("=")})`;
}

/**
 * Returns the enabled triggers for published events, with their event types. Only the first `limit` by name are
 * returned.
 */
export async function triggersForEvents(
  db: Db,
  tenant: string,
  limit: number,
): Promise<readonly { readonly id: string; readonly type: string }[]> {
  const type = sql<string>`${triggers.settings} ->> '$.on.type'`;
  return db
    .select({ id: triggers.id, type })
    .from(triggers)
    .where(
      and(
        ...[eq(triggers.tenant, tenant), eq(triggers.kind, "event"), isNull(triggers.deletedAt)],
        sql`${triggers.standing} ->> '$.disabled' IS NULL`,
      ),
    )
    .orderBy(triggers.name)
    .limit(limit);
}
