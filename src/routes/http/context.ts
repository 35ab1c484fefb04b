// Request context: the values that a request carries through the routes.
import type { Context } from "hono";
import type { ZodType } from "zod";
import type { Caller, Deps, TenantCaller } from "#services/deps.ts";

/** A route's declared schemas: refusals use their field names for "did you mean". */
export type Shapes = { readonly json?: ZodType; readonly query?: ZodType; readonly param?: ZodType };

export type AppEnv = {
  Variables: {
    deps: Deps;
    requestId: string;
    shapes: Shapes;
    /** Set by the guard of each endpoint about one tenant's data. */
    caller: TenantCaller;
    /** Set by the guard of every endpoint: for those about the installation, which need no tenant. */
    installationCaller: Caller;
    idempotencyKey: string | null;
  };
};
export type AppContext = Context<AppEnv>;
