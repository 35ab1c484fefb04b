// Assumed connection limits in previews and forecasts.
import { z } from "zod";
import { breaker, connectionName, provider, rateLimit } from "#schema/connection.ts";
import { limits } from "#schema/limits.ts";
import { GIVEN_CONNECTIONS_MAX } from "#schema/limits/virtual.ts";

export const givenConnections = z
  .record(
    connectionName,
    z
      .strictObject({
        provider: provider.optional().meta({ description: "Provider of an unsaved connection." }),
        rateLimit: rateLimit.optional(),
        concurrency: z.number().int().min(1).max(limits.connectionConcurrencyMax).optional(),
        breaker: breaker.optional(),
      })
      .nullable(),
  )
  .refine((given) => Object.keys(given).length <= GIVEN_CONNECTIONS_MAX, {
    message: `must have at most ${GIVEN_CONNECTIONS_MAX} connections (GIVEN_CONNECTIONS_MAX)`,
  });
