// Every operation about definitions and templates, called with types generated from /openapi.json. It is compiled in the check
// (scripts/openapi.ts), and never run.
import { reminder } from "./reminder.ts";
import { client } from "./client.ts";

export async function definitions() {
  await client.POST("/v1/definitions/validate", { params: { header: { "Idempotency-Key": "k-1" } }, body: reminder });
  await client.POST("/v1/definitions", {
    params: { query: { dryRun: "true", draft: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: reminder,
  });
  const tests = [{ name: "is done when paid", given: [{ at: "P2D", event: "paid" }], expect: [{ states: ["done"] }] }];
  await client.POST("/v1/definitions/{ref}/test", {
    params: { path: { ref: "order" }, header: { "Idempotency-Key": "k-1" } },
    body: { tests },
  });
  await client.POST("/v1/definitions/test", {
    params: { header: { "Idempotency-Key": "k-1" } },
    body: { definition: reminder, tests },
  });
  const asked = {
    subjects: [{ id: "ada", variables: { total: 12 }, startAt: "2026-11-18T10:00:00Z" }],
    startAt: "2026-11-18T10:00:00Z",
    from: "2026-11-18T10:00:00Z",
    until: "2027-11-18T10:00:00Z",
    given: [{ at: "P2D", event: "paid", payload: { total: 12 } }],
    assume: { actions: { remind: { outcome: "failed" as const } } },
    contents: true,
    compare: { definition: "order@3", variables: { total: 13 } },
  };
  await client.POST("/v1/definitions/{ref}/preview", {
    params: { path: { ref: "order" }, query: { format: "json" }, header: { "Idempotency-Key": "k-1" } },
    body: asked,
  });
  await client.POST("/v1/definitions/preview", {
    params: { query: { format: "json" }, header: { "Idempotency-Key": "k-1" } },
    body: { ...asked, definition: reminder },
  });
  const crowd = {
    subjects: asked.subjects,
    count: 10_000,
    perSecond: 50,
    startAt: asked.startAt,
    until: asked.until,
    given: asked.given,
    sometimes: [{ share: 0.3, given: asked.given }],
    assume: asked.assume,
    shares: { remind: [{ share: 0.02, outcome: { outcome: "failed" as const } }] },
    connections: { mail: { provider: "sendgrid", rateLimit: { perSecond: 10 } }, crm: null },
  };
  await client.POST("/v1/definitions/{ref}/forecast", {
    params: { path: { ref: "order" }, header: { "Idempotency-Key": "k-1" } },
    body: crowd,
  });
  await client.POST("/v1/definitions/forecast", {
    params: { header: { "Idempotency-Key": "k-1" } },
    body: { ...crowd, definition: reminder },
  });
  await client.GET("/v1/definitions", { params: { query: { limit: 10 } } });
  await client.POST("/v1/definitions/{ref}/archive", {
    params: { path: { ref: "order" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { reason: "replaced by order@3" },
  });
  await client.POST("/v1/definitions/{ref}/publish", {
    params: {
      path: { ref: "order" },
      query: { dryRun: "true" },
      header: { "Idempotency-Key": "k-1", "If-Match": '"7"' },
    },
    body: { reason: "asks a week earlier" },
  });
  await client.POST("/v1/definitions/{ref}/rollback", {
    params: {
      path: { ref: "order@3" },
      query: { dryRun: "true" },
      header: { "Idempotency-Key": "k-1", "If-Match": '"7"' },
    },
    body: { reason: "mails twice", to: 1 },
  });
  await client.POST("/v1/definitions/diff", {
    params: { query: { from: "published", limit: 10 }, header: { "Idempotency-Key": "k-1" } },
    body: { definition: reminder },
  });
  await client.GET("/v1/definitions/{ref}/diff", {
    params: { path: { ref: "order" }, query: { from: "published", to: "draft", limit: 10 } },
  });
  await client.GET("/v1/definitions/{ref}/publications", { params: { path: { ref: "order" }, query: { limit: 10 } } });
  await client.PUT("/v1/definitions/{ref}", {
    params: { path: { ref: "order" }, query: { dryRun: "true" }, header: { "If-None-Match": "*" } },
    body: reminder,
  });
  await client.GET("/v1/definitions/{ref}", { params: { path: { ref: "order" } } });
  await client.GET("/v1/definitions/{ref}/versions", { params: { path: { ref: "order" }, query: { limit: 10 } } });
  await client.GET("/v1/definitions/{ref}/versions/{version}", { params: { path: { ref: "order", version: 3 } } });
}

export async function templates() {
  await client.POST("/v1/templates", {
    params: { query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: {
      name: "welcome",
      subject: "Welcome, {{ name }}",
      html: "<p>Good to have you, {{ name }}.</p>",
      text: "Good to have you, {{ name }}.",
      variables: [{ name: "name", description: "what to call the reader" }],
    },
  });
  await client.GET("/v1/templates", { params: { query: { limit: 10 } } });
  await client.PUT("/v1/templates/{ref}", {
    params: { path: { ref: "welcome" }, query: { dryRun: "true" }, header: { "If-None-Match": "*" } },
    body: { name: "welcome", text: "Welcome" },
  });
  await client.POST("/v1/templates/{ref}/preview", {
    params: { path: { ref: "order" }, header: { "Idempotency-Key": "k-1" } },
    body: { variables: { name: "Ada" } },
  });
  await client.POST("/v1/templates/{ref}/archive", {
    params: { path: { ref: "order" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { reason: "replaced by welcome@3" },
  });
  await client.GET("/v1/templates/{ref}", { params: { path: { ref: "order" } } });
  await client.GET("/v1/templates/{ref}/versions", { params: { path: { ref: "order" }, query: { limit: 10 } } });
}
