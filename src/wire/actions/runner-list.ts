// Runner list: the action types as the API shows them.
import { z } from "zod";

export const runnerList = z.object({
  data: z.array(
    z
      .object({
        type: z.string(),
        aliases: z.array(z.string()).meta({ description: "Other names of the type." }),
        permissions: z.array(z.string()).meta({ description: "What the runner may do, such as `email:send`." }),
        repeats: z
          .object({ mode: z.enum(["provider", "harmless", "none"]), windowMs: z.number().nullable().optional() })
          .meta({
            description:
              "Whether a repeated call has no second effect. provider: the provider ignores repeats for `windowMs` (null: forever). A connection's provider may differ.",
          }),
        lane: z.enum(["queue"]).nullable().meta({ description: "queue: actions of this type always use the queue." }),
        timeoutMs: z.number().int().meta({ description: "The default timeout of an attempt." }),
        retryPolicy: z.string().meta({ description: "The default retry policy: the name of a preset." }),
        configSchema: z.string().meta({ description: "The address of the config's JSON Schema." }),
        price: z
          .object({ currency: z.string(), amounts: z.record(z.string(), z.number()) })
          .nullable()
          .meta({
            description:
              "The tenant's prices of an attempt, by type or by type and provider. Null without a price list.",
          }),
      })
      .meta({ id: "Runner" }),
  ),
});
