// Audit entries: API shapes.
import { z } from "zod";
import { anyJson, instant } from "#schema/values.ts";

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
