// Every operation about tenants, keys, and the service itself, called with types generated from /openapi.json. It is compiled in the check
// (scripts/openapi.ts), and never run.
import { client } from "./client.ts";

export async function audit() {
  await client.GET("/v1/audit", { params: { query: { limit: 10 } } });
}

export async function service() {
  await client.GET("/health");
}

export async function tenantsAndKeys() {
  await client.POST("/v1/tenants", {
    params: { query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { id: "acme", name: "Acme Ltd" },
  });
  await client.GET("/v1/tenants", { params: { query: { limit: 10 } } });
  await client.GET("/v1/tenants/{id}", { params: { path: { id: "acme" } } });
  await client.PATCH("/v1/tenants/{id}", {
    params: { path: { id: "acme" }, query: { dryRun: "true" } },
    body: { limits: { startsPerSecond: 5000, keys: null }, reason: "new contract" },
  });
  await client.POST("/v1/tenants/{id}/suspend", {
    params: { path: { id: "acme" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { reason: "mails to strangers" },
  });
  await client.POST("/v1/tenants/{id}/resume", {
    params: { path: { id: "acme" }, query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { reason: "mails to strangers" },
  });
  await client.GET("/v1/tenants/{id}/usage", { params: { path: { id: "acme" } } });
  await client.POST("/v1/keys", {
    params: { query: { dryRun: "true" }, header: { "Idempotency-Key": "k-1" } },
    body: { name: "checkout", scopes: ["read", "write"] },
  });
  await client.GET("/v1/keys", { params: { query: { limit: 10 } } });
  await client.GET("/v1/signing-secret");
  await client.GET("/v1/me");
  await client.POST("/v1/sessions", { body: { lifetime: "PT8H" } });
  await client.GET("/v1/sessions", { params: { query: { limit: 10 } } });
  await client.DELETE("/v1/sessions/{id}", { params: { path: { id: "ses_1" }, query: { dryRun: "true" } } });
  await client.DELETE("/v1/sessions/current");
  await client.POST("/v1/tokens", { body: { scopes: ["read"], lifetime: "PT15M" } });
  await client.DELETE("/v1/keys/{id}", { params: { path: { id: "key_1" }, query: { dryRun: "true" } } });
}
