// Audit entries: API shapes.
import { z } from "zod";
import { anyJson, instant } from "#schema/values.ts";

export const auditEntry = z
  .object({
    id: z.string(),
    at: instant,
    actor: z.string().meta({ description: "The key that made the change, such as `key:key_01M…`, or `root:root`." }),
    person: z
      .string()
      .nullable()
      .meta({ description: "The person of the key (its `actor`); null if the key names no person." }),
    verb: z.string(),
    target: z.string(),
    reason: z.string().nullable(),
    details: anyJson,
  })
  .meta({ id: "AuditEntry" });
export type ApiAuditEntry = z.infer<typeof auditEntry>;
