// Client calls about tenants. Most of them need the root key.
import type { ApiTenant, ApiTenantUsage, ChangeTenantBody, CreateTenantBody } from "#wire/tenants/shape.ts";
import type { Page } from "#wire/query.ts";
import type { CallOptions, Send } from "./request.ts";

export function tenants(send: Send) {
  const of = (id: string, ...more: string[]): string[] => ["v1", "tenants", id, ...more];
  return {
    create: (body: CreateTenantBody, call?: CallOptions) =>
      send<ApiTenant>({ method: "POST", path: ["v1", "tenants"], body }, call),
    list: (query: { readonly cursor?: string; readonly limit?: number } = {}) =>
      send<Page<ApiTenant>>({ method: "GET", path: ["v1", "tenants"], query }),
    get: (id: string) => send<ApiTenant>({ method: "GET", path: of(id) }),
    /**
     * Changes a tenant. Quotas that are absent in the body stay unchanged; a quota with the value null gets its
     * default.
     */
    change: (id: string, body: ChangeTenantBody, call?: CallOptions) =>
      send<ApiTenant>({ method: "PATCH", path: of(id), body }, call),
    suspend: (id: string, reason: string, call?: CallOptions) =>
      send<ApiTenant>({ method: "POST", path: of(id, "suspend"), body: { reason } }, call),
    resume: (id: string, reason: string, call?: CallOptions) =>
      send<ApiTenant>({ method: "POST", path: of(id, "resume"), body: { reason } }, call),
    usage: (id: string) => send<ApiTenantUsage>({ method: "GET", path: of(id, "usage") }),
  };
}
