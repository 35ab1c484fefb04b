// What the platform would bill, counted where it is spent: on the prototypes of the platform's own bindings, which
// tests and Worker share. The product knows nothing of it.
import { runInDurableObject } from "cloudflare:test";
import { bindings } from "#test/flows/engine.ts";
import { ExecutionObject } from "../../src/index.ts";

export type Bill = {
  /** SQL as its cursors report it, and one for each alarm set. */
  objectRows: number;
  /** Calls of any method of an object, alarms and upgrades included. */
  objectRequests: number;
  actionMessages: number;
  projectionMessages: number;
  catalogRows: number;
};
/** Where it went, for whoever wonders about a figure. */
export type Meter = { readonly bill: Bill; readonly lines: readonly string[]; readonly reset: () => void };

const METHODS = ["start", "control", "claimMany", "settleMany", "undeliverable", "poke", "reproject", "read", "journal", "fetch", "alarm"] as const;

export async function meter(): Promise<Meter> {
  const none = { objectRows: 0, objectRequests: 0, actionMessages: 0, projectionMessages: 0, catalogRows: 0 };
  const bill: Bill = { ...none };
  const lines: string[] = [];
  const count = (what: keyof Bill, by: number, line: string): void => {
    bill[what] += by;
    if (by > 0) lines.push(`${what} +${by}: ${line}`);
  };
  await runInDurableObject(bindings.EXECUTIONS.getByName("meter"), (_object, state) => {
    wrap(state.storage.sql, "exec", (cursor: SqlStorageCursor<never>, [query]) =>
      count("objectRows", cursor.rowsWritten, String(query).slice(0, 40)),
    );
    wrap(state.storage, "setAlarm", () => count("objectRows", 1, "setAlarm"));
  });
  for (const method of METHODS) wrapOwn(ExecutionObject.prototype, method, () => count("objectRequests", 1, method));
  const isActions = new Set<unknown>([bindings.ACTIONS]);
  const queued = (queue: unknown, messages: readonly unknown[]): void => {
    for (const body of messages) {
      const kind = isActions.has(queue) || isAction(body) ? "actionMessages" : "projectionMessages";
      count(kind, Math.ceil(JSON.stringify(body).length / 64_000), JSON.stringify(body).slice(0, 60));
    }
  };
  wrap(bindings.ACTIONS, "send", (_done, [body], queue) => queued(queue, [body]));
  wrap(bindings.ACTIONS, "sendBatch", (_done, [messages], queue) =>
    queued(queue, [...(messages as Iterable<{ body: unknown }>)].map(({ body }) => body)),
  );
  const rows = (result: D1Result, query: string): void => count("catalogRows", result.meta.rows_written, query);
  wrapAsync(bindings.DB, "batch", (results: D1Result[]) => results.forEach((result, n) => rows(result, `batch ${n}`)));
  const statement = bindings.DB.prepare("SELECT 1");
  for (const method of ["run", "all"] as const) wrapAsync(statement, method, (result: D1Result) => rows(result, method));
  const reset = (): void => {
    Object.assign(bill, none);
    lines.length = 0;
  };
  return { bill, lines, reset };
}

function isAction(body: unknown): boolean {
  return typeof body === "object" && body !== null && "run" in body;
}

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Seen = (answer: never, args: readonly unknown[], on: unknown) => void;

/** On the prototype, so that what the Worker was given long ago is counted too. */
function wrap(one: object, method: string, seen: Seen): void {
  wrapOwn(Object.getPrototypeOf(one) as object, method, seen);
}

function wrapOwn(prototype: object, method: string, seen: Seen): void {
  const real = Reflect.get(prototype, method) as Method;
  const counted: Method = function (...args) {
    const answer = real.apply(this, args);
    seen(answer as never, args, this);
    return answer;
  };
  Reflect.set(prototype, method, counted);
}

function wrapAsync(one: object, method: string, seen: Seen): void {
  const prototype = Object.getPrototypeOf(one) as object;
  const real = Reflect.get(prototype, method) as Method;
  const counted: Method = async function (...args) {
    const answer = await real.apply(this, args);
    seen(answer as never, args, this);
    return answer;
  };
  Reflect.set(prototype, method, counted);
}
