// Metered engine: wraps the platform's bindings and the objects of the engine, and counts the usage that the platform
// would bill. GET /_bill returns the counts. The product's code is unchanged.
import type { Env } from "#env";
import engine, * as objects from "../../src/index.ts";
import { wrap, wrapAsync, wrapOwn } from "#test/cost/wrap.ts";

export * from "../../src/index.ts";

const bill = { objectRows: 0, objectRequests: 0, queueMessages: 0, catalogRows: 0 };
const countsByName: Record<string, number> = {};

/** Counts calls of objects, by class and method. The platform bills an alarm like a call. */
for (const [name, made] of Object.entries(objects)) {
  if (!name.endsWith("Object")) continue;
  const { prototype } = made as { readonly prototype: object };
  for (const method of Object.getOwnPropertyNames(prototype)) {
    if (method === "constructor") continue;
    wrapOwn(prototype, method, () => {
      bill.objectRequests += 1;
      count(`${name}.${method}`, 1);
    });
  }
}

let isWrapped = false;
function wrapStorage(storage: DurableObjectStorage): void {
  if (isWrapped) return;
  isWrapped = true;
  wrap(storage.sql, "exec", (cursor: SqlStorageCursor<never>, [query]) => {
    bill.objectRows += cursor.rowsWritten;
    if (cursor.rowsWritten > 0)
      count(`sql ${String(query).trim().slice(0, 40).replaceAll(/\s+/g, " ")}`, cursor.rowsWritten);
  });
  wrap(storage, "setAlarm", () => {
    bill.objectRows += 1;
    count("alarms set", 1);
  });
}

/** All objects share the prototype of their storage, so wrapping the first object's storage meters all of them. */
export class ExecutionObject extends objects.ExecutionObject {
  constructor(ctx: DurableObjectState, env: Env) {
    wrapStorage(ctx.storage);
    super(ctx, env);
  }
}
export class OperationObject extends objects.OperationObject {
  constructor(ctx: DurableObjectState, env: Env) {
    wrapStorage(ctx.storage);
    super(ctx, env);
  }
}

let isBound = false;
function wrapBindings({ ACTIONS, DB }: Env): void {
  if (isBound) return;
  isBound = true;
  wrap(ACTIONS, "send", (_done, [body]) => countMessages([body]));
  wrap(ACTIONS, "sendBatch", (_done, [messages]) =>
    countMessages([...(messages as Iterable<{ readonly body: unknown }>)].map(({ body }) => body)),
  );
  const rows = (result: D1Result, what = "other"): void => {
    bill.catalogRows += result.meta.rows_written;
    count(`catalog ${what}`, result.meta.rows_written);
  };
  wrapAsync(DB, "batch", (results: D1Result[], [statements]) =>
    results.forEach((result, n) => rows(result, tableOf((statements as readonly unknown[])[n]))),
  );
  for (const method of ["run", "all"]) {
    wrapAsync(DB.prepare("SELECT 1"), method, (result: D1Result) => rows(result));
  }
}

/** Reads the table from the SQL text, which only the local binding's statements expose. */
function tableOf(statement: unknown): string {
  const text = String(Reflect.get(Object(statement), "statement"));
  return /(?:INSERT INTO|UPDATE|DELETE FROM) "?([a-z_]+)/i.exec(text)?.[1] ?? "other";
}

/** Counts the billed messages: the platform bills one per 64 KB. */
function countMessages(bodies: readonly unknown[]): void {
  for (const body of bodies) {
    const messages = Math.ceil(JSON.stringify(body).length / 64_000);
    bill.queueMessages += messages;
    const isAction = typeof body === "object" && body !== null && "run" in body;
    count(isAction ? "messages of actions" : "other messages", messages);
  }
}

function count(what: string, more: number): void {
  countsByName[what] = (countsByName[what] ?? 0) + more;
}

export default {
  ...engine,
  fetch: (request, env, ctx) => {
    wrapBindings(env);
    if (new URL(request.url).pathname === "/_bill") return Response.json({ bill, by: countsByName });
    return engine.fetch(request, env, ctx);
  },
} satisfies ExportedHandler<Env>;
