// What travels with a request through the routes.
import type { Context } from "hono";
import type { ZodType } from "zod";
import type { Caller, Deps, TenantCaller } from "#services/deps.ts";

/** What a route was declared with: refusals read the names it knows, for "did you mean". */
export type Shapes = { readonly json?: ZodType; readonly query?: ZodType; readonly param?: ZodType };

export type AppEnv = {
  Variables: {
    deps: Deps;
    requestId: string;
    shapes: Shapes;
    /** Set by the guard of each endpoint that is about what one tenant has. */
    caller: TenantCaller;
    /** Set by the guard of every endpoint: for those about the installation, where a tenant need not be named. */
    installationCaller: Caller;
    idempotencyKey: string | null;
  };
};
export type AppContext = Context<AppEnv>;
