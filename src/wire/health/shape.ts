// Health: API shapes.
import { z } from "zod";
import { instant } from "#schema/values.ts";

/** The engine's version. A test fails if it differs from the version in package.json. */
export const version = "0.9.0";

export const health = z
  .object({
    status: z.enum(["ok", "degraded"]),
    version: z.string(),
    time: instant,
    checks: z.record(z.string(), z.enum(["ok", "failed"])).optional(),
  })
  .meta({ id: "Health" });
export type ApiHealth = z.infer<typeof health>;
