// Tenants on the wire.
import { z } from "zod";
import { instant, tenantId } from "#schema/values.ts";
import { limits } from "#schema/limits.ts";

export const createTenantBody = z
  .strictObject({
    id: tenantId,
    name: z.string().min(1).max(200),
    retentionDays: z.number().int().min(1).max(limits.tenantRetentionDaysMax).optional().meta({
      description: "How long finished executions stay in lists.",
    }),
  })
  .meta({ id: "CreateTenant", examples: [{ id: "acme", name: "Acme Ltd" }] });
export type CreateTenantBody = z.input<typeof createTenantBody>;

export const tenant = z
  .object({ id: tenantId, name: z.string(), createdAt: instant, retentionDays: z.number().int() })
  .meta({ id: "Tenant" });
export type ApiTenant = z.infer<typeof tenant>;
