// Every operation about the configuration, called with types generated from /openapi.json. It is compiled in the check
// (scripts/openapi.ts), and never run.
import { client } from "./client.ts";

export async function configuration() {
  await client.GET("/v1/export", { params: { query: { kinds: "templates,definitions" } } });
  await client.POST("/v1/apply", {
    params: { query: { dryRun: "true", prune: "true", reason: "cleanup" }, header: { "Idempotency-Key": "k-1" } },
    body: {
      templates: [{ name: "welcome", text: "Welcome" }],
      connections: [],
      prices: { currency: "EUR", prices: {} },
    },
  });
}
