// Tenants: API shapes.
import { z } from "zod";
import { instant, reason, tenantId } from "#schema/values.ts";
import { origins } from "./origin.ts";
import { QUOTA_WARN_SHARE, TENANT_RETENTION_DAYS_MAX } from "#schema/limits/tenants/tenant-quotas.ts";
import { limitChanges, quotaNames, type Quota } from "#schema/quota.ts";

export const createTenantBody = z
  .strictObject({
    id: tenantId,
    name: z.string().min(1).max(200),
    retentionDays: z
      .number()
      .int()
      .min(1)
      .max(TENANT_RETENTION_DAYS_MAX)
      .optional()
      .meta({ description: "How many days the catalog keeps executions after their end." }),
  })
  .meta({ id: "CreateTenant", examples: [{ id: "acme", name: "Acme Ltd" }] });
export type CreateTenantBody = z.input<typeof createTenantBody>;

export const changeTenantBody = z
  .strictObject({
    name: z.string().min(1).max(200).optional(),
    retentionDays: z.number().int().min(1).max(TENANT_RETENTION_DAYS_MAX).optional(),
    limits: limitChanges
      .optional()
      .meta({ description: "Quotas by name. Omitted quotas stay unchanged, and null restores the default." }),
    origins: origins.optional(),
    reason: reason.optional(),
  })
  .meta({ id: "ChangeTenant", examples: [{ limits: { startsPerSecond: 5_000, keys: null }, reason: "new contract" }] });
export type ChangeTenantBody = z.input<typeof changeTenantBody>;

export const suspendTenantBody = z
  .strictObject({ reason })
  .meta({ id: "SuspendTenant", examples: [{ reason: "e-mails to unknown recipients" }] });

const byName = <Each extends z.ZodType>(each: Each) =>
  // Object.fromEntries returns an object type without field names, so the type is asserted.
  z.object(Object.fromEntries(quotaNames.map((name) => [name, each])) as { [name in Quota]: Each });

export const tenant = z
  .object({
    id: tenantId,
    name: z.string(),
    createdAt: instant,
    retentionDays: z.number().int(),
    limits: byName(z.number().int()).meta({ description: "The quotas of the tenant, including defaults." }),
    origins,
    suspended: z
      .object({ at: instant, reason: z.string() })
      .nullable()
      .meta({
        description:
          "The suspension of the tenant: nothing new starts, and running executions are held. null if the tenant is not suspended.",
      }),
  })
  .meta({ id: "Tenant" });
export type ApiTenant = z.infer<typeof tenant>;

const oneUse = z.object({
  used: z.number().int(),
  max: z.number().int(),
  windowSeconds: z
    .number()
    .int()
    .optional()
    .meta({ description: "The length of the period in seconds. Only for quotas per period." }),
  warning: z.boolean().meta({ description: `true: ${QUOTA_WARN_SHARE * 100} % or more of the quota is used.` }),
});

export const tenantUsage = z
  .object({
    tenant: tenantId,
    at: instant,
    suspended: tenant.shape.suspended,
    limits: byName(oneUse).meta({
      description:
        "The usage of each quota. Stored objects are counted exactly; rates are counted as isolates report them.",
    }),
  })
  .meta({ id: "TenantUsage" });
export type ApiTenantUsage = z.infer<typeof tenantUsage>;
