// Audit entries, and what the service says of itself.
import { z } from "zod";
import { anyJson, instant } from "#schema/values.ts";

/** The same as in package.json; a test compares them. */
export const version = "0.1.0";

export const auditEntry = z
  .object({
    id: z.string(),
    at: instant,
    actor: z.string(),
    verb: z.string(),
    target: z.string(),
    reason: z.string().nullable(),
    details: anyJson,
  })
  .meta({ id: "AuditEntry" });
export type ApiAuditEntry = z.infer<typeof auditEntry>;

export const health = z
  .object({
    status: z.enum(["ok", "degraded"]),
    version: z.string(),
    time: instant,
    checks: z.record(z.string(), z.enum(["ok", "failed"])).optional(),
  })
  .meta({ id: "Health" });
export type ApiHealth = z.infer<typeof health>;
