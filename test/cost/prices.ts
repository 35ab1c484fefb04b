// What a bill comes to, per million of whatever it is a bill of: the platform's paid prices, beyond what is included.
import type { Bill } from "./meter.ts";

const OBJECT_ROW = 1.0;
const OBJECT_REQUEST = 0.15;
/** Written, read and deleted: three operations at $0.40 a million. */
const QUEUE_MESSAGE = 1.2;
const CATALOG_ROW = 1.0;

export type Cost = {
  readonly objectRows: number;
  readonly objectRequests: number;
  readonly queueMessages: number;
  readonly catalogRows: number;
};

export function costOf(bill: Bill, count: number): Cost {
  return {
    objectRows: (bill.sqlRows + bill.alarmsSet) / count,
    objectRequests: (bill.objectCalls + bill.alarmsRung) / count,
    queueMessages: (bill.actionMessages + bill.projectionMessages) / count,
    catalogRows: bill.catalogRows / count,
  };
}

/** One line of the table that the test prints. Without duration, CPU and the Worker's own requests. */
export function lineOf(cost: Cost): Record<string, string> {
  const { objectRows, objectRequests, queueMessages, catalogRows } = cost;
  const dollars =
    objectRows * OBJECT_ROW + objectRequests * OBJECT_REQUEST + queueMessages * QUEUE_MESSAGE + catalogRows * CATALOG_ROW;
  return {
    "object rows": objectRows.toFixed(2),
    "object requests": objectRequests.toFixed(2),
    "queue messages": queueMessages.toFixed(2),
    "D1 rows": catalogRows.toFixed(2),
    "$ per million": dollars.toFixed(2),
  };
}
