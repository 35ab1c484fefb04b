// Every operation about executions, called with types generated from /openapi.json. It is compiled in the check
// (scripts/openapi.ts), and never run.
import { client } from "./client.ts";

export async function executions() {
  await client.POST("/v1/executions/batch", {
    params: { query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { executions: [{ definition: "welcome", variables: { name: "Ada" } }] },
  });
  await client.POST("/v1/executions", {
    params: { query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { definition: "order", variables: { orderId: "o-17", email: "ada@example.com" }, correlationId: "o-17" },
  });
  await client.GET("/v1/executions", { params: { query: { limit: 10 } } });
  await client.GET("/v1/executions", {
    params: { query: { definition: "wedding", nextBefore: "2027-06-12T00:00:00Z" } },
  });
  await client.GET("/v1/executions/{id}", { params: { path: { id: "exe_1" } } });
  await client.GET("/v1/executions/{id}", { params: { path: { id: "exe_1" }, query: { fields: "id,status" } } });
  await client.GET("/v1/executions/{id}/explain", { params: { path: { id: "exe_1" } } });
  await client.GET("/v1/executions/{id}/tree", { params: { path: { id: "exe_1" }, query: { limit: 20 } } });
  await client.DELETE("/v1/executions/{id}", { params: { path: { id: "exe_1" }, query: { dryRun: "true" } } });
  await client.GET("/v1/executions/{id}/journal", { params: { path: { id: "exe_1" }, query: { limit: 10 } } });
  await client.GET("/v1/executions/{id}/runs", { params: { path: { id: "exe_1" }, query: { limit: 10 } } });
  await client.GET("/v1/executions/{id}/live", { params: { path: { id: "exe_1" } } });
}

export async function reconcilers() {
  await client.GET("/v1/executions/{id}/desired", { params: { path: { id: "exe_1" } } });
  await client.GET("/v1/executions/{id}/observed", { params: { path: { id: "exe_1" } } });
  await client.PUT("/v1/executions/{id}/desired", {
    params: {
      path: { id: "exe_1" },
      query: { dryRun: "true" },
      header: { "If-Match": '"3"', "Idempotency-Key": "k-1" },
    },
    body: { value: { running: true }, mode: "merge", reason: "switched on" },
  });
  await client.PUT("/v1/executions/{id}/observed", {
    params: { path: { id: "exe_1" }, header: { "If-Match": '"3"' } },
    body: { value: { processRunning: true }, observedAt: "2026-11-19T10:00:00.000Z" },
  });
}

export async function steering() {
  await client.POST("/v1/executions/{id}/events", {
    params: { path: { id: "exe_1" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { type: "payment.received", payload: { amount: 42 } },
  });
  await client.POST("/v1/executions/{id}/patch", {
    params: { path: { id: "exe_1" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { variables: { weddingDate: "2027-06-12" }, reason: "date moved" },
  });
  await client.POST("/v1/executions/{id}/run-now", {
    params: { path: { id: "exe_1" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { action: "notify", reason: "customer is on the phone" },
  });
  await client.POST("/v1/executions/{id}/retry", {
    params: { path: { id: "exe_1" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { run: "3.0", reason: "the provider is up again" },
  });
  const header = { "Idempotency-Key": "k-1", "If-State": "notice" } as const;
  const params = { path: { id: "exe_1" }, query: { dryRun: "true" }, header } as const;
  await client.POST("/v1/executions/{id}/skip", { params, body: { run: "3.0", result: null, reason: "no need" } });
  await client.POST("/v1/executions/{id}/cancel-action", { params, body: { action: "notify", reason: "it hangs" } });
  await client.POST("/v1/executions/{id}/reschedule", { params, body: { run: "3.0", at: "2027-06-30T07:00:00Z" } });
  await client.POST("/v1/executions/{id}/hold", { params, body: { run: "3.0", reason: "the price is wrong" } });
  await client.POST("/v1/executions/{id}/release", { params, body: { run: "3.0" } });
  await client.POST("/v1/executions/{id}/complete", { params, body: { node: "signature", payload: { by: "Ada" } } });
  await client.POST("/v1/executions/{id}/poke", {
    params: { path: { id: "exe_1" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { reason: "customer asked to wait" },
  });
  await client.POST("/v1/executions/{id}/pause", {
    params: { path: { id: "exe_1" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { reason: "customer asked to wait" },
  });
  await client.POST("/v1/executions/{id}/resume", {
    params: { path: { id: "exe_1" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { reason: "customer asked to wait" },
  });
  await client.POST("/v1/executions/{id}/restart", {
    params: { path: { id: "exe_1" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { from: { state: "packing" }, variables: { address: "Main St 1" }, repeat: ["label"], cancel: true },
  });
  await client.POST("/v1/executions/{id}/cancel", {
    params: { path: { id: "exe_1" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { reason: "ordered twice", children: "leave" },
  });
}

export async function subjects() {
  await client.GET("/v1/subjects/{key}", { params: { path: { key: "couple-17" } } });
  await client.DELETE("/v1/subjects/{key}", {
    params: { path: { key: "couple-17" }, query: { dryRun: "true", reason: "they asked for it" } },
  });
}

export async function enrolments() {
  const header = { "Idempotency-Key": "k-1" } as const;
  const path = { id: "op_1" } as const;
  await client.POST("/v1/definitions/{ref}/enrolments", {
    params: { path: { ref: "wedding" }, header },
    body: { perSecond: 50, reason: "couples of the season 2027" },
  });
  await client.PUT("/v1/operations/{id}/parts/{part}", {
    params: { path: { ...path, part: 1 } },
    body: { lines: [{ variables: { coupleId: "couple-17", weddingDate: "2027-06-12" } }] },
  });
  await client.POST("/v1/operations/{id}/start", { params: { path, header, query: { dryRun: "true" } } });
  await client.GET("/v1/operations/{id}/troubles", { params: { path, query: { limit: 10 } } });
}
