// Every operation about actions, tasks and what failed, called with types generated from /openapi.json. It is compiled in the check
// (scripts/openapi.ts), and never run.
import { client } from "./client.ts";

export async function actions() {
  await client.POST("/v1/actions/batch", {
    params: { query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: {
      actions: [
        {
          type: "webhook",
          config: { url: "{{ secrets.shop_hook }}", payload: { orderId: "{{ execution.variables.orderId }}" } },
          variables: { orderId: "o-17" },
        },
      ],
    },
  });
  await client.POST("/v1/actions/test", {
    params: { header: { "Idempotency-Key": "k-1" } },
    body: {
      action: {
        type: "slack",
        config: { channel: "#orders", text: "Order {{ message.payload.orderId }} is paid" },
        retryPolicy: { maxAttempts: 3, baseDelay: 1000 },
      },
      context: { message: { type: "paid", payload: { orderId: "o-17" } } },
      mocks: [{ status: 503 }, { status: 200 }],
    },
  });
  await client.POST("/v1/actions/load-plan", {
    params: { header: { "Idempotency-Key": "k-1" } },
    body: {
      action: {
        type: "slack",
        config: { channel: "#orders", text: "Order {{ execution.variables.n }} for {{ execution.variables.who }}" },
      },
      config: { concurrency: 50, duration: "PT1M", rampUpTime: "PT10S", draw: { who: ["Ada", "Grace"] } },
    },
  });
  await client.POST("/v1/actions", {
    params: { query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: {
      type: "webhook",
      config: { url: "{{ secrets.shop_hook }}", payload: { orderId: "{{ execution.variables.orderId }}" } },
      variables: { orderId: "o-17" },
    },
  });
  await client.GET("/v1/actions", { params: { query: { limit: 10 } } });
  await client.GET("/v1/runners", {});
  await client.GET("/v1/runs", { params: { query: { recipient: "ada@example.com", limit: 10 } } });
  await client.GET("/v1/actions/{id}", { params: { path: { id: "exe_1" } } });
  await client.POST("/v1/actions/{id}/cancel", {
    params: { path: { id: "exe_1" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { reason: "customer asked to wait" },
  });
  await client.POST("/v1/actions/{id}/retry", {
    params: { path: { id: "exe_1" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { config: { method: "PUT" }, reason: "the shop has changed its mind" },
  });
}

export async function worker() {
  await client.GET("/api/worker/status");
  await client.GET("/api/worker/statistics");
  await client.GET("/api/worker/stream-info");
  await client.POST("/api/worker/initialize-stream", { params: { header: { "Idempotency-Key": "k-1" } } });
  await client.POST("/api/worker/test-event", {
    params: { query: { actionInstanceId: "trg_1" }, header: { "Idempotency-Key": "k-1" } },
    body: { order: "o-17" },
  });
  await client.POST("/api/worker/events", {
    params: { header: { "Idempotency-Key": "k-1" } },
    body: { executionId: "7d4f", actionInstanceId: "trg_1", areaId: "default", payload: { order: "o-17" } },
  });
  await client.POST("/api/worker/executions", {
    params: { header: { "Idempotency-Key": "k-1" } },
    body: { actionInstanceId: "trg_1", activationModeId: "webhook", inputPayload: { order: "o-17" } },
  });
  await client.GET("/api/worker/executions", { params: { query: { limit: 10 } } });
  await client.GET("/api/worker/executions/{id}", { params: { path: { id: "exe_1" } } });
  await client.POST("/api/worker/executions/{id}/cancel", {
    params: { path: { id: "exe_1" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
  });
}

export async function monitor() {
  const params = { path: { journeyInstanceId: "exe_1" }, header: { "Idempotency-Key": "k-1" } };
  await client.POST("/api/execution/process", { params: { query: { dryRun: "true" } }, body: { batchSize: 10 } });
  await client.GET("/api/execution/status/{journeyInstanceId}", { params: { path: params.path } });
  await client.POST("/api/execution/retry/{queueItemId}", {
    params: { path: { queueItemId: "exe_1.1.1" }, header: params.header },
    body: { resetRetryCount: false },
  });
  await client.GET("/api/execution/metrics", { params: { query: { days: 7 } } });
  await client.POST("/api/execution/pause/{journeyInstanceId}", { params, body: { reason: "snow" } });
  await client.POST("/api/execution/resume/{journeyInstanceId}", { params, body: {} });
  await client.GET("/api/execution/history/{journeyInstanceId}", {
    params: { path: params.path, query: { limit: 10 } },
  });
  await client.GET("/v1/metrics/days", { params: { query: { days: 7 } } });
  await client.GET("/v1/metrics/deliveries", { params: { query: { days: 7, definition: "order" } } });
  await client.GET("/v1/metrics/types", { params: { query: { days: 7 } } });
  await client.GET("/v1/metrics/waiting");
  await client.GET("/v1/metrics/query", { params: { query: { groupBy: "definition,version", step: "hour" } } });
}

export async function tasks() {
  await client.GET("/v1/tasks", { params: { query: { limit: 10 } } });
  await client.GET("/v1/tasks/{id}", { params: { path: { id: "tsk_1" } } });
  await client.POST("/v1/tasks/{id}/complete", {
    params: { path: { id: "tsk_1" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { result: { approved: true }, by: "ada@example.com" },
  });
  await client.POST("/v1/tasks/{id}/cancel", {
    params: { path: { id: "tsk_1" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { reason: "no longer needed" },
  });
  await client.POST("/v1/tasks/{id}/reassign", {
    params: { path: { id: "tsk_1" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { assignee: "grace@example.com", reason: "on holiday" },
  });
}

export async function deadLetters() {
  await client.GET("/v1/dead-letter-groups", {});
  await client.GET("/v1/dead-letters", { params: { query: { limit: 10 } } });
  await client.GET("/v1/dead-letters/{id}", { params: { path: { id: "dl_1" } } });
  await client.POST("/v1/dead-letters/{id}/retry", {
    params: { path: { id: "dl_1" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { config: { to: "ada@example.com" }, reason: "address corrected" },
  });
  await client.POST("/v1/dead-letters/{id}/archive", {
    params: { path: { id: "dl_1" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { reason: "customer asked to wait" },
  });
  await client.POST("/v1/dead-letters/retry-all", {
    params: { query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { filter: { errorType: "service_unavailable" }, perSecond: 20, reason: "the provider is back" },
  });
  await client.POST("/v1/dead-letters/archive-all", {
    params: { query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { filter: { definition: "order" }, reason: "settled by hand" },
  });
  await client.POST("/v1/operations", {
    params: { query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: {
      verb: "event",
      event: { type: "prices.changed", payload: { list: "2027" } },
      filter: { definition: "lease", state: "renewing" },
      perSecond: 100,
      stopAt: { failedShare: 0.05 },
      reason: "price list of 2027",
    },
  });
  await client.GET("/v1/operations", { params: { query: { limit: 10 } } });
  await client.GET("/v1/operations/{id}", { params: { path: { id: "op_1" } } });
  await client.POST("/v1/operations/{id}/abort", {
    params: { path: { id: "op_1" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { reason: "the provider is down again" },
  });
}

export async function operations() {}

export async function retryPolicies() {
  await client.GET("/v1/retry-policies");
  await client.GET("/v1/retry-policies/ladder");
  await client.POST("/v1/retry-policies/ladder", {
    params: { header: { "Idempotency-Key": "k-1" } },
    body: { policy: { maxAttempts: 5, baseDelay: 1000, jitter: true }, timezone: "Europe/Zurich" },
  });
}

export async function events() {
  await client.POST("/v1/events", {
    params: { query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { type: "payment.received", correlationKey: "order-17", payload: { amount: 42 }, keep: "PT1H" },
  });
  await client.GET("/v1/events", { params: { query: { status: "kept", correlationKey: "order-17", limit: 10 } } });
}
