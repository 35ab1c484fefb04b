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

const COLUMNS = ["object rows", "object requests", "queue messages", "D1 rows", "$ per million"];
const NAME_WIDTH = 46;

export const HEADING = ["".padEnd(NAME_WIDTH), ...COLUMNS.map((column) => column.padStart(17))].join("");

/** One line of the table that the test prints. Without duration, CPU and the Worker's own requests. */
export function lineOf(what: string, cost: Cost): string {
  const { objectRows, objectRequests, queueMessages, catalogRows } = cost;
  const dollars =
    objectRows * OBJECT_ROW +
    objectRequests * OBJECT_REQUEST +
    queueMessages * QUEUE_MESSAGE +
    catalogRows * CATALOG_ROW;
  const figures = [objectRows, objectRequests, queueMessages, catalogRows, dollars];
  return [what.padEnd(NAME_WIDTH), ...figures.map((figure) => figure.toFixed(2).padStart(17))].join("");
}
