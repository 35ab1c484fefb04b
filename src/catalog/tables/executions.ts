// The catalog's tables as drizzle sees them. migrations/*.sql make them; a test proves that the two agree.
// The tenant comes first in every key, and all tables are WITHOUT ROWID (drizzle cannot say so): a key is one row
// written, not two. Instants are epoch milliseconds.
import type { DeadLetterFilters } from "#schema/dead-letter.ts";
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { AlertChannelSettings } from "#schema/alert.ts";
import type { ConnectionSettings } from "#schema/connection.ts";
import type { Json } from "#schema/json.ts";
import { operationStatuses, operationVerbs, type OperationTotals } from "#schema/operation.ts";
import { runStatuses } from "#schema/engine/run.ts";
import { executionStatuses } from "#schema/engine/state.ts";
import { taskStatuses, type TaskBody } from "#schema/task.ts";

export const tenants = sqliteTable("tenants", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  createdAt: integer("created_at").notNull(),
  /** How long the summary of a finished execution stays in lists. */
  retentionDays: integer("retention_days").notNull(),
});

export const keys = sqliteTable(
  "keys",
  {
    tenant: text("tenant").notNull(),
    id: text("id").notNull(),
    /** SHA-256 of the secret; the secret itself is nowhere. */
    hash: text("hash").notNull(),
    prefix: text("prefix").notNull(),
    name: text("name").notNull(),
    scopes: text("scopes", { mode: "json" }).$type<readonly string[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at"),
    revokedAt: integer("revoked_at"),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.id] }), uniqueIndex("keys_hash").on(t.hash)],
);

export const definitions = sqliteTable(
  "definitions",
  {
    tenant: text("tenant").notNull(),
    name: text("name").notNull(),
    version: integer("version").notNull(),
    id: text("id").notNull(),
    hash: text("hash").notNull(),
    kind: text("kind").notNull(),
    createdAt: integer("created_at").notNull(),
    archivedAt: integer("archived_at"),
    /** Last, so that reading the columns before it stays off the overflow pages. */
    body: text("body").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.name, t.version] }), uniqueIndex("definitions_id").on(t.tenant, t.id)],
);

export const executions = sqliteTable(
  "executions",
  {
    tenant: text("tenant").notNull(),
    createdAt: integer("created_at").notNull(),
    id: text("id").notNull(),
    seq: integer("seq").notNull(),
    namespace: text("namespace").notNull(),
    definitionId: text("definition_id").notNull(),
    definitionName: text("definition_name").notNull(),
    definitionVersion: integer("definition_version").notNull(),
    placement: text("placement", { enum: ["own", "pooled"] }).notNull(),
    status: text("status", { enum: executionStatuses }).notNull(),
    states: text("states", { mode: "json" }).$type<string[]>().notNull(),
    correlationId: text("correlation_id"),
    updatedAt: integer("updated_at").notNull(),
    finishedAt: integer("finished_at"),
    wakeAt: integer("wake_at"),
    reason: text("reason"),
    error: text("error"),
  },
  (t) => [
    primaryKey({ columns: [t.tenant, t.createdAt, t.id] }),
    // Both are partial, so that the row of a completed execution costs exactly one row written.
    index("executions_status")
      .on(t.tenant, t.status, t.createdAt, t.id)
      .where(sql`status <> 'completed'`),
    index("executions_wake")
      .on(t.wakeAt)
      .where(sql`wake_at IS NOT NULL AND finished_at IS NULL`),
  ],
);

export const runs = sqliteTable(
  "runs",
  {
    tenant: text("tenant").notNull(),
    execution: text("execution").notNull(),
    id: text("id").notNull(),
    seq: integer("seq").notNull(),
    action: text("action").notNull(),
    type: text("type").notNull(),
    status: text("status", { enum: runStatuses }).notNull(),
    attempt: integer("attempt").notNull(),
    priority: integer("priority").notNull(),
    createdAt: integer("created_at").notNull(),
    dueAt: integer("due_at"),
    finishedAt: integer("finished_at"),
    errorType: text("error_type"),
    error: text("error"),
    reason: text("reason"),
    deadLetter: integer("dead_letter", { mode: "boolean" }).notNull(),
    costEstimate: real("cost_estimate"),
    namespace: text("namespace").notNull().default("default"),
    definition: text("definition").notNull().default(""),
    correlationId: text("correlation_id"),
    errorCode: text("error_code"),
  },
  (t) => [
    primaryKey({ columns: [t.tenant, t.execution, t.id] }),
    index("runs_dead")
      .on(t.tenant, t.finishedAt, t.execution, t.id)
      .where(sql`dead_letter = 1`),
  ],
);

export const audit = sqliteTable(
  "audit",
  {
    tenant: text("tenant").notNull(),
    at: integer("at").notNull(),
    id: text("id").notNull(),
    actor: text("actor").notNull(),
    verb: text("verb").notNull(),
    target: text("target").notNull(),
    reason: text("reason"),
    details: text("details"),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.at, t.id] })],
);

export const keptAnswers = sqliteTable(
  "idempotency",
  {
    tenant: text("tenant").notNull(),
    key: text("key").notNull(),
    route: text("route").notNull(),
    fingerprint: text("fingerprint").notNull(),
    /** null while the first request is still being answered. */
    status: integer("status"),
    body: text("body"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.key, t.route] }), index("idempotency_created").on(t.createdAt)],
);

/** The value itself is nowhere: `ciphertext` opens with the key that `keyId` names (services/sealing.ts). */
export const secrets = sqliteTable(
  "secrets",
  {
    tenant: text("tenant").notNull(),
    name: text("name").notNull(),
    version: integer("version").notNull(),
    keyId: text("key_id").notNull(),
    iv: text("iv").notNull(),
    ciphertext: text("ciphertext").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.name] })],
);

export const templates = sqliteTable(
  "templates",
  {
    tenant: text("tenant").notNull(),
    name: text("name").notNull(),
    version: integer("version").notNull(),
    hash: text("hash").notNull(),
    createdAt: integer("created_at").notNull(),
    archivedAt: integer("archived_at"),
    /** Last, as in definitions. */
    body: text("body").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.name, t.version] })],
);

/** Settings name secrets and never hold one. */
export const connections = sqliteTable(
  "connections",
  {
    tenant: text("tenant").notNull(),
    id: text("id").notNull(),
    name: text("name").notNull(),
    provider: text("provider").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    deletedAt: integer("deleted_at"),
    /** Last, as in definitions. */
    settings: text("settings", { mode: "json" }).$type<ConnectionSettings>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant, t.id] }),
    uniqueIndex("connections_name")
      .on(t.tenant, t.name)
      .where(sql`deleted_at IS NULL`),
  ],
);

/** Settings name secrets and never hold one. */
export const alertChannels = sqliteTable(
  "alert_channels",
  {
    tenant: text("tenant").notNull(),
    id: text("id").notNull(),
    name: text("name").notNull(),
    enabled: integer("enabled", { mode: "boolean" }).notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    deletedAt: integer("deleted_at"),
    /** Last, as in definitions. */
    settings: text("settings", { mode: "json" }).$type<AlertChannelSettings>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant, t.id] }),
    uniqueIndex("alert_channels_name")
      .on(t.tenant, t.name)
      .where(sql`deleted_at IS NULL`),
  ],
);

/** The id is the run's own, so that a run that is tried again finds its task. */
export const tasks = sqliteTable(
  "tasks",
  {
    tenant: text("tenant").notNull(),
    id: text("id").notNull(),
    execution: text("execution").notNull(),
    run: text("run").notNull(),
    action: text("action").notNull(),
    status: text("status", { enum: taskStatuses }).notNull(),
    title: text("title").notNull(),
    assignee: text("assignee"),
    dueAt: integer("due_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    closedAt: integer("closed_at"),
    closedBy: text("closed_by"),
    reason: text("reason"),
    /** What its execution made of its end: "delivered", or the refusal's code; null until it has been asked. */
    delivery: text("told"),
    /** null, too, where the result is JSON's null. */
    result: text("result", { mode: "json" }).$type<Json>(),
    /** Last, as in definitions. */
    body: text("body", { mode: "json" }).$type<TaskBody>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant, t.id] }),
    index("tasks_created").on(t.tenant, t.createdAt, t.id),
    index("tasks_untold")
      .on(t.closedAt)
      .where(sql`told IS NULL AND closed_at IS NOT NULL`),
  ],
);

/** While an operation runs, its object knows how far it is; the row learns of the end. */
export const operations = sqliteTable(
  "operations",
  {
    tenant: text("tenant").notNull(),
    id: text("id").notNull(),
    verb: text("verb", { enum: operationVerbs }).notNull(),
    filter: text("filter", { mode: "json" }).$type<DeadLetterFilters>().notNull(),
    perSecond: integer("per_second").notNull(),
    reason: text("reason"),
    /** As in the audit table. */
    actor: text("actor").notNull(),
    createdAt: integer("created_at").notNull(),
    finishedAt: integer("finished_at"),
    status: text("status", { enum: operationStatuses }).notNull(),
    counts: text("counts", { mode: "json" }).$type<OperationTotals>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.id] }), index("operations_created").on(t.tenant, t.createdAt, t.id)],
);

/** Amounts by action type, or by type and provider: `{ "email": 0.001, "sms/twilio": 0.0079 }`. */
export const prices = sqliteTable("prices", {
  tenant: text("tenant").primaryKey(),
  currency: text("currency").notNull(),
  updatedAt: integer("updated_at").notNull(),
  amounts: text("amounts", { mode: "json" }).$type<{ readonly [of: string]: number }>().notNull(),
});
