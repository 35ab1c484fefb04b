// What the platform would bill, counted where it is spent: on the prototypes of the platform's own bindings, which
// tests and Worker share. The product knows nothing of it.
import { runInDurableObject } from "cloudflare:test";
import { bindings } from "#test/flows/engine.ts";
import { wrap, wrapAsync, wrapOwn } from "./wrap.ts";
import { ExecutionObject, RecurringObject, SubjectObject, TriggerObject } from "../../src/index.ts";

export type Bill = {
  /** SQL, as its cursors report it. */
  sqlRows: number;
  /** Each is billed as a row. */
  alarmsSet: number;
  objectCalls: number;
  /** Billed like a call. */
  alarmsRung: number;
  actionMessages: number;
  projectionMessages: number;
  catalogRows: number;
};
export type Meter = { readonly bill: Bill; readonly reset: () => void };

/** Of a class: what may be called over RPC or answers a request. Alarms are counted apart. */
function methodsOf(prototype: object): readonly string[] {
  return Object.getOwnPropertyNames(prototype).filter((name) => name !== "constructor" && name !== "alarm");
}

const SUBJECT_METHODS = [
  "enroll",
  "withdraw",
  "recordFindings",
  "endEnrolment",
  "takeSlot",
  "acquireLimit",
  "releaseLimit",
  "releaseSlot",
  "read",
  "erase",
];

export async function openMeter(): Promise<Meter> {
  const bill = nothing();
  const stub = bindings.EXECUTIONS.getByName("meter");
  await runInDurableObject(stub, (_object, state) => {
    wrap(state.storage.sql, "exec", (cursor: SqlStorageCursor<never>) => (bill.sqlRows += cursor.rowsWritten));
    wrap(state.storage, "setAlarm", () => (bill.alarmsSet += 1));
  });
  const object = { prototype: ExecutionObject.prototype };
  for (const method of methodsOf(object.prototype)) wrapOwn(object.prototype, method, () => (bill.objectCalls += 1));
  for (const { prototype } of [
    object,
    { prototype: RecurringObject.prototype },
    { prototype: TriggerObject.prototype },
  ])
    wrapOwn(prototype, "alarm", () => (bill.alarmsRung += 1));
  for (const method of SUBJECT_METHODS) wrapOwn(SubjectObject.prototype, method, () => (bill.objectCalls += 1));
  wrapOwn(TriggerObject.prototype, "receiveDeliveries", () => (bill.objectCalls += 1));
  wrap(bindings.ACTIONS, "send", (_done, [body]) => queued(bill, [body]));
  wrap(bindings.ACTIONS, "sendBatch", (_done, [messages]) =>
    queued(
      bill,
      [...(messages as Iterable<{ readonly body: unknown }>)].map(({ body }) => body),
    ),
  );
  const rows = (result: D1Result): void => void (bill.catalogRows += result.meta.rows_written);
  wrapAsync(bindings.DB, "batch", (results: D1Result[]) => results.forEach(rows));
  for (const method of ["run", "all"]) wrapAsync(bindings.DB.prepare("SELECT 1"), method, rows);
  return { bill, reset: () => void Object.assign(bill, nothing()) };
}

function nothing(): Bill {
  return {
    sqlRows: 0,
    alarmsSet: 0,
    objectCalls: 0,
    alarmsRung: 0,
    actionMessages: 0,
    projectionMessages: 0,
    catalogRows: 0,
  };
}

/** A message is billed by the 64 KB; all queues share a prototype, so the body says which one it is. */
function queued(bill: Bill, bodies: readonly unknown[]): void {
  for (const body of bodies) {
    const isAction = typeof body === "object" && body !== null && "run" in body;
    bill[isAction ? "actionMessages" : "projectionMessages"] += Math.ceil(JSON.stringify(body).length / 64_000);
  }
}
