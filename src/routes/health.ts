// Health: reports the state of the service without a key.
import { OpenAPIHono, createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { health, version, type ApiHealth } from "#wire/health/shape.ts";
import { toInstant } from "#schema/values.ts";
import { checkHealth } from "#services/upkeep/check-health.ts";
import type { AppEnv } from "./http/context.ts";
import { responsesOf, setSchemas, type Responses } from "./http/endpoint.ts";
import { refuseInvalid } from "./http/refuse-invalid.ts";

const query = z.strictObject({
  deep: z
    .enum(["true", "false"])
    .default("false")
    .meta({ description: "true: also checks whether the catalog answers." }),
});

const responses: Responses = {
  ...responsesOf(health, 200),
  503: { description: "A dependency is not available.", content: { "application/json": { schema: health } } },
};

const read = createRoute({
  operationId: "getHealth",
  method: "get",
  path: "/health",
  tags: ["Service"],
  summary: "Check the service",
  description: "The request needs no key. With `deep=true`, the answer is 503 if the catalog does not answer.",
  request: { query },
  middleware: [setSchemas({ query })],
  security: [],
  responses,
});

export const healthRoutes = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(read, async (c) => {
    const { time, checks } = await checkHealth(c.var.deps, { deep: c.req.valid("query").deep === "true" });
    const isHealthy = checks === null || Object.values(checks).every((check) => check === "ok");
    const body: ApiHealth = { status: isHealthy ? "ok" : "degraded", version, time: toInstant(time) };
    return c.json(checks === null ? body : { ...body, checks }, isHealthy ? 200 : 503);
  })
  .get("/", (c) => c.json({ name: "escapement", version, docs: "/docs", openapi: "/openapi.json", health: "/health" }));
