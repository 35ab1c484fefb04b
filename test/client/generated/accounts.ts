// Every operation about what actions need, and who is told of failures, called with types generated from /openapi.json. It is compiled in the check
// (scripts/openapi.ts), and never run.
import { client } from "./client.ts";

export async function connections() {
  await client.POST("/v1/connections", {
    params: { query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: {
      name: "sendgrid-main",
      provider: "sendgrid",
      credentials: { apiKey: "sendgrid_api_key" },
      rateLimit: { perSecond: 10, burst: 10 },
      breaker: {},
    },
  });
  await client.GET("/v1/connections", { params: { query: { limit: 10 } } });
  await client.POST("/v1/connections/{ref}/test", {
    params: { path: { ref: "order" }, header: { "Idempotency-Key": "k-1" } },
  });
  await client.GET("/v1/connections/{ref}", { params: { path: { ref: "order" } } });
  await client.PATCH("/v1/connections/{ref}", {
    params: { path: { ref: "order" }, query: { dryRun: "true" } },
    body: { rateLimit: { perSecond: 5, burst: null } },
  });
  await client.PUT("/v1/connections/{ref}", {
    params: { path: { ref: "mail" }, query: { dryRun: "true" }, header: { "If-None-Match": "*" } },
    body: { provider: "sendgrid", credentials: { apiKey: "sendgrid_api_key" } },
  });
  await client.DELETE("/v1/connections/{ref}", { params: { path: { ref: "order" }, query: { dryRun: "true" } } });
}

export async function secrets() {
  await client.PUT("/v1/secrets/{name}", {
    params: { path: { name: "shop_hook" }, query: { dryRun: "true" } },
    body: { value: "the-token", hosts: ["api.example.com"] },
  });
  await client.PATCH("/v1/secrets/{name}", {
    params: { path: { name: "shop_hook" }, query: { dryRun: "true" } },
    body: { hosts: ["api.example.com", "*.example.net"] },
  });
  await client.DELETE("/v1/secrets/{name}", { params: { path: { name: "shop_hook" }, query: { dryRun: "true" } } });
  await client.GET("/v1/secrets", { params: { query: { limit: 10 } } });
  await client.POST("/v1/secrets/reencrypt", {
    params: { query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
  });
}

export async function calendars() {
  const path = { ref: "ch" };
  await client.PUT("/v1/calendars/{ref}", {
    params: { path, query: { dryRun: "true" }, header: { "If-None-Match": "*" } },
    body: { dates: ["2026-12-25", { date: "2026-12-26", name: "Boxing Day" }] },
  });
  await client.GET("/v1/calendars", { params: { query: { limit: 10 } } });
  await client.GET("/v1/calendars/{ref}", { params: { path } });
  await client.DELETE("/v1/calendars/{ref}", { params: { path, query: { dryRun: "true" } } });
}

export async function policies() {
  const path = { ref: "nights" };
  await client.PUT("/v1/policies/{ref}", {
    params: { path, query: { dryRun: "true" }, header: { "If-None-Match": "*" } },
    body: { kind: "quiet_hours", types: ["sms"], window: { from: "08:00", to: "21:00" } },
  });
  await client.GET("/v1/policies", { params: { query: { limit: 10 } } });
  await client.GET("/v1/policies/{ref}", { params: { path } });
  await client.DELETE("/v1/policies/{ref}", { params: { path, query: { dryRun: "true" } } });
}

export async function suppressions() {
  const path = { channel: "email", address: "ada@example.com" } as const;
  await client.POST("/v1/suppressions", {
    params: { query: { dryRun: "true" } },
    body: { suppressions: [{ channel: "sms", address: "+14155550123", reason: "unsubscribe" }] },
  });
  await client.GET("/v1/suppressions", { params: { query: { channel: "email", reason: "hard_bounce", limit: 10 } } });
  await client.GET("/v1/suppressions/{channel}/{address}", { params: { path } });
  await client.DELETE("/v1/suppressions/{channel}/{address}", { params: { path, query: { dryRun: "true" } } });
}

export async function limits() {
  await client.GET("/v1/limits", { params: { query: { name: "per-customer", key: "customer-17" } } });
  await client.POST("/v1/limits/release", {
    params: { query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { name: "per-customer", key: "customer-17", reason: "calls were lost" },
  });
}

export async function signers() {
  await client.GET("/v1/signers/{chain}/{address}", {
    params: { path: { chain: "base", address: "0x52908400098527886E0F7030069857D2E4169EE7" } },
  });
  await client.POST("/v1/signers/{chain}/{address}/reconcile", {
    params: {
      path: { chain: "base", address: "0x52908400098527886E0F7030069857D2E4169EE7" },
      query: { dryRun: "true" },
      header: { "Idempotency-Key": "k-1" },
    },
    body: { reason: "nothing is mined since the reorganisation" },
  });
}

export async function signing() {
  await client.GET("/v1/signing");
  await client.GET("/v1/signing-keys");
  await client.POST("/v1/signing-keys/rotate", {
    params: { query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { endpoint: "orders", overlap: "P7D" },
  });
}

export async function alerts() {
  await client.POST("/v1/alert-channels", {
    params: { query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: {
      name: "on-call",
      channel: { kind: "slack", config: { connection: "slack-ops", channel: "#on-call" } },
      severities: ["critical", "high"],
      throttle: "PT5M",
    },
  });
  await client.GET("/v1/alert-channels", { params: { query: { limit: 10 } } });
  await client.POST("/v1/alert-channels/{ref}/test", {
    params: { path: { ref: "alc_1" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
  });
  await client.GET("/v1/alert-channels/{ref}", { params: { path: { ref: "alc_1" } } });
  await client.PATCH("/v1/alert-channels/{ref}", {
    params: { path: { ref: "alc_1" }, query: { dryRun: "true" } },
    body: { severities: ["critical"], throttle: "PT15M" },
  });
  await client.PUT("/v1/alert-channels/{ref}", {
    params: { path: { ref: "on-call" }, query: { dryRun: "true" }, header: { "If-Match": "*" } },
    body: { channel: { kind: "webhook", config: { url: "https://ops.example.com" } } },
  });
  await client.DELETE("/v1/alert-channels/{ref}", { params: { path: { ref: "alc_1" }, query: { dryRun: "true" } } });
}

export async function prices() {
  await client.GET("/v1/prices");
  await client.PUT("/v1/prices", {
    params: { query: { dryRun: "true" } },
    body: { currency: "EUR", prices: { email: 0.001, "sms/twilio": 0.0079 } },
  });
}
