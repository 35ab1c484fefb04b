// What travels with a request through the routes.
import type { Context } from "hono";
import type { ZodType } from "zod";
import type { Caller, Deps } from "#services/deps.ts";

/** What a route was declared with: refusals read the names it knows, for "did you mean". */
export type Shapes = { readonly json?: ZodType; readonly query?: ZodType; readonly param?: ZodType };

export type AppEnv = {
  Variables: {
    deps: Deps;
    requestId: string;
    shapes: Shapes;
    /** Set by the guard of each route that asks for a key. */
    caller: Caller;
    idempotencyKey: string | null;
  };
};
export type AppContext = Context<AppEnv>;
