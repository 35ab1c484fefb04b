// Assumed connection limits in previews and forecasts: API shapes.
import { z } from "zod";
import { breaker, connectionName, provider, rateLimit } from "#schema/connection.ts";
import { CONNECTION_CONCURRENCY_MAX } from "#schema/limits/outgoing/connection-limits.ts";
import { ASSUMED_CONNECTIONS_MAX } from "#schema/limits/planning/forecast-sizes.ts";

export const givenConnections = z
  .record(
    connectionName,
    z
      .strictObject({
        provider: provider.optional().meta({ description: "The provider of a connection that is not stored." }),
        rateLimit: rateLimit.optional(),
        concurrency: z.number().int().min(1).max(CONNECTION_CONCURRENCY_MAX).optional(),
        breaker: breaker.optional(),
      })
      .nullable(),
  )
  .refine((given) => Object.keys(given).length <= ASSUMED_CONNECTIONS_MAX, {
    message: `must have at most ${ASSUMED_CONNECTIONS_MAX} connections (ASSUMED_CONNECTIONS_MAX)`,
  });
