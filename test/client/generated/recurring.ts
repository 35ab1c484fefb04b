// Every operation about what recurs, and what is counted, called with types generated from /openapi.json. It is compiled
// in the check (scripts/openapi.ts), and never run.
import { client } from "./client.ts";

const header = { "Idempotency-Key": "k-1" } as const;
const params = { path: { id: "rec_1" } } as const;

export async function recurring() {
  await client.POST("/v1/recurring", {
    params: { header, query: { dryRun: "true" } },
    body: {
      namespace: "notifications",
      cron_expr: "0 9 * * MON-FRI",
      timezone: "US/Eastern",
      provider: "webhook",
      action_type: "send_digest",
      payload: { url: "https://example.com/digest", body: { subject: "Daily Digest" } },
      labels: { team: "engineering" },
    },
  });
  await client.GET("/v1/recurring", { params: { query: { limit: 10 } } });
  await client.GET("/v1/recurring/{id}", { params });
  await client.PUT("/v1/recurring/{id}", { params, body: { cron_expr: "0 8 * * MON-FRI" } });
  await client.DELETE("/v1/recurring/{id}", { params });
  await client.POST("/v1/recurring/{id}/pause", { params: { ...params, header } });
  await client.POST("/v1/recurring/{id}/resume", { params: { ...params, header }, body: { catch_up: "none" } });
  await client.POST("/v1/recurring/{id}/trigger", { params: { ...params, header } });
  await client.POST("/v1/recurring/{id}/skip", { params: { ...params, header }, body: {} });
  await client.GET("/v1/recurring/{id}/history", { params });
  await client.GET("/v1/recurring/{id}/occurrences", { params });
}

export async function counted() {
  await client.GET("/v1/metrics");
  await client.GET("/v1/metrics/snapshot");
  await client.GET("/v1/config");
}
