// Imitated databases over HTTP: Cloudflare's D1 below /d1, libSQL below /libsql. Nothing is stored. A SELECT returns
// one row of the params, and any other statement changes one row. The table "taken" violates a constraint; the table
// "missing" does not exist.
import { z } from "zod";
import { asProvider, bearerOf, jsonOf, type ProviderImitation } from "./provider.ts";
import type { SandboxEnv } from "./env.ts";

const isUnauthorized = (request: Request) => ["", "wrong"].includes(bearerOf(request));
const isRead = (sql: string) => /^\s*(?:select|with)\b/i.test(sql);

function databaseErrorOf(sql: string): { message: string; code: string } | null {
  if (/\btaken\b/.test(sql)) return { message: "UNIQUE constraint failed: taken.id", code: "SQLITE_CONSTRAINT" };
  if (/\bmissing\b/.test(sql)) return { message: "no such table: missing", code: "SQLITE_ERROR" };
  return null;
}

const d1Refusal = (code: number, message: string) => ({
  success: false,
  errors: [{ code, message }],
  messages: [],
  result: [],
});
const d1Statement = z.looseObject({ sql: z.string(), params: z.array(z.unknown()).default([]) });

const d1Imitation: ProviderImitation = {
  errorBody: (status) => d1Refusal(7500, `scripted ${status}`),
  perform: async (request) => {
    if (isUnauthorized(request)) return Response.json(d1Refusal(10000, "Authentication error"), { status: 401 });
    const { data } = d1Statement.safeParse(await jsonOf(request));
    if (data === undefined) return Response.json(d1Refusal(7400, "The request is malformed"), { status: 400 });
    const error = databaseErrorOf(data.sql);
    if (error !== null) {
      return Response.json(d1Refusal(7500, `${error.message}: ${error.code}`), { status: 400 });
    }
    const isSelect = isRead(data.sql);
    const results = isSelect ? [Object.fromEntries(data.params.map((value, n) => [`p${n + 1}`, value]))] : [];
    const written = isSelect ? 0 : 1;
    const meta = { rows_read: 1, rows_written: written, changes: written, duration: 0.1 };
    return Response.json({ success: true, errors: [], messages: [], result: [{ results, success: true, meta }] });
  },
};

const execute = z.looseObject({
  type: z.literal("execute"),
  stmt: z.looseObject({ sql: z.string(), args: z.array(z.looseObject({ type: z.string() })).default([]) }),
});
const pipeline = z.looseObject({ requests: z.tuple([execute, z.looseObject({ type: z.literal("close") })]) });

const libsqlImitation: ProviderImitation = {
  errorBody: (status) => ({ error: `scripted ${status}` }),
  perform: async (request) => {
    if (isUnauthorized(request)) return Response.json({ error: "Unauthorized: the JWT is invalid" }, { status: 401 });
    const { data } = pipeline.safeParse(await jsonOf(request));
    if (data === undefined) return Response.json({ error: "the body is not a valid pipeline" }, { status: 400 });
    const { sql, args } = data.requests[0].stmt;
    const close = { type: "ok", response: { type: "close" } };
    const error = databaseErrorOf(sql);
    if (error !== null) return Response.json({ baton: null, results: [{ type: "error", error }, close] });
    const isSelect = isRead(sql);
    const result = {
      cols: isSelect ? args.map((_, n) => ({ name: `p${n + 1}` })) : [],
      rows: isSelect ? [args] : [],
      affected_row_count: isSelect ? 0 : 1,
      last_insert_rowid: isSelect ? null : "1",
    };
    const done = { type: "ok", response: { type: "execute", result } };
    return Response.json({ baton: null, base_url: null, results: [done, close] });
  },
};

export const d1 = (request: Request, env: SandboxEnv) => asProvider(request, env, d1Imitation);
export const libsql = (request: Request, env: SandboxEnv) => asProvider(request, env, libsqlImitation);
