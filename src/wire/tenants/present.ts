// Tenants as the wire sees them.
import type { ApiTenant } from "./shape.ts";
import { toInstant } from "#schema/values.ts";

type Tenant = { id: string; name: string; createdAt: number; retentionDays: number };

export function presentTenant({ id, name, createdAt, retentionDays }: Tenant): ApiTenant {
  return { id, name, createdAt: toInstant(createdAt), retentionDays };
}
