// Every operation about triggers and what was delivered to them, called with types generated from /openapi.json. It is
// compiled in the check (scripts/openapi.ts), and never run.
import { client } from "./client.ts";

const header = { "Idempotency-Key": "k-1" } as const;
const path = { ref: "pushes" } as const;
const query = { dryRun: "true" } as const;

export async function triggers() {
  await client.POST("/v1/triggers", {
    params: { header, query },
    body: {
      name: "pushes",
      kind: "webhook",
      verify: { scheme: "github", secret: "github_hook" },
      when: { "===": [{ var: "request.headers.x-github-event" }, "push"] },
      target: { kind: "start", definition: "deploy", variables: { commit: "{{ request.body.after }}" } },
    },
  });
  await client.GET("/v1/triggers", { params: { query: { limit: 10, label: "team=web" } } });
  await client.GET("/v1/triggers/{ref}", { params: { path } });
  await client.GET("/v1/triggers/{ref}/address", { params: { path } });
  await client.PATCH("/v1/triggers/{ref}", { params: { path, query }, body: { rateLimit: { perMinute: 60 } } });
  await client.PUT("/v1/triggers/{ref}", {
    params: { path, query, header: { "If-None-Match": "*" } },
    body: { kind: "event", on: { type: "paid" }, target: { kind: "start", definition: "receipt" } },
  });
  await client.DELETE("/v1/triggers/{ref}", { params: { path, query } });
  await client.POST("/v1/triggers/{ref}/enable", { params: { path, header, query }, body: { reason: "mended" } });
  await client.POST("/v1/triggers/{ref}/disable", { params: { path, header, query }, body: { reason: "noisy" } });
  await client.POST("/v1/triggers/{ref}/poll", { params: { path, header, query }, body: { reason: "just shipped" } });
  await client.POST("/v1/triggers/{ref}/rotate-token", { params: { path, header }, body: { overlapMs: 3_600_000 } });
  await client.POST("/v1/triggers/{ref}/rotate-secret", {
    params: { path, header },
    body: { secret: "github_hook_2" },
  });
}

export async function deliveries() {
  const one = { ...path, id: "trd_1" } as const;
  await client.GET("/v1/triggers/{ref}/deliveries", { params: { path, query: { status: "unmappable" } } });
  await client.GET("/v1/triggers/{ref}/deliveries/{id}", { params: { path: one } });
  await client.POST("/v1/triggers/{ref}/deliveries/{id}/replay", { params: { path: one, header, query }, body: {} });
  await client.POST("/v1/triggers/{ref}/replay", { params: { path, header, query }, body: { status: "failed" } });
}
