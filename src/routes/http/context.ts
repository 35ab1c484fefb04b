// Request context: the values that middleware sets on a request for its handler.
import type { Context } from "hono";
import type { ZodType } from "zod";
import type { Caller, Deps, TenantCaller } from "#services/deps.ts";

/**
 * The schemas of a route. If a request has an unknown field, the refusal suggests a similar field name from these
 * schemas.
 */
export type RequestSchemas = { readonly json?: ZodType; readonly query?: ZodType; readonly param?: ZodType };

export type AppEnv = {
  Variables: {
    deps: Deps;
    requestId: string;
    schemas: RequestSchemas;
    /** The caller with its tenant. The guard sets it for endpoints that concern one tenant's data. */
    caller: TenantCaller;
    /**
     * The caller, who may have no tenant. The guard sets it for all endpoints; endpoints for the whole installation
     * read it.
     */
    installationCaller: Caller;
    idempotencyKey: string | null;
  };
};
export type AppContext = Context<AppEnv>;
