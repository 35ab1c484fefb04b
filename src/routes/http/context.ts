// Request context: the values that middleware sets on a request for its handler.
import type { Context } from "hono";
import type { ZodType } from "zod";
import type { Caller, Deps, TenantCaller } from "#services/deps.ts";

/** The schemas of a route. A refusal searches their field names for "did you mean". */
export type RequestSchemas = { readonly json?: ZodType; readonly query?: ZodType; readonly param?: ZodType };

export type AppEnv = {
  Variables: {
    deps: Deps;
    requestId: string;
    schemas: RequestSchemas;
    /** Set by the guard for endpoints that concern one tenant's data. */
    caller: TenantCaller;
    /** Set by the guard for all endpoints. Endpoints for the whole installation use it; they need no tenant. */
    installationCaller: Caller;
    idempotencyKey: string | null;
  };
};
export type AppContext = Context<AppEnv>;
