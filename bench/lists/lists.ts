// Bench of lists: measures page 1 and page 100 of each filter over a million executions in a local SQLite. It prints a
// table of the CPU time in ms, which other work on the machine hardly changes. Run it with
// `node bench/lists/lists.ts [executions]`.
import type { ExecutionFilters } from "#catalog/executions/execution-filters.ts";
import { countExecutions, listExecutions } from "#catalog/executions/list-executions.ts";
import type { Db } from "#catalog/db.ts";
import { catalogOver, openDatabase } from "./database.ts";
import { addRows, EVERY_MS, START, TENANT } from "./executions.ts";

const COUNT = Number(process.argv[2] ?? 1_000_000);
const END = START + COUNT * EVERY_MS;
const LIMIT = 50;
const PAGES = 100;
const ROUNDS = 7;

const variable = (name: string, comparison: "eq" | "gte" | "lt", value: string | number): ExecutionFilters => ({
  variables: [{ name, comparison, value }],
});
const cases: { readonly [name: string]: ExecutionFilters } = {
  "no filter": {},
  "status=waiting": { status: "waiting" },
  "status=completed": { status: "completed" },
  "definition (5 % of all)": { definition: "order_3" },
  "definition (0.1 % of all)": { definition: "rare" },
  "definition and version": { definition: "order_3", version: 1 },
  "namespace=eu": { namespace: "eu" },
  correlationId: { correlationId: "order-17" },
  trigger: { trigger: "trg_1" },
  subject: { subject: "customer-5000" },
  "state=open": { state: "open" },
  "state=open.review, status=waiting": { state: "open.review", status: "waiting" },
  "errorCode=timeout": { errorCode: "timeout" },
  "errorCode=card_declined": { errorCode: "card_declined" },
  "waitingFor=task": { waitingFor: "task" },
  "waitingFor=event:payment.captured": { waitingFor: "event:payment.captured" },
  "waitingFor=connection:mail": { waitingFor: "connection:mail" },
  dueBefore: { dueBefore: START + 10 * 86_400_000 },
  overdue: { overdueSince: END + 86_400_000 },
  "updatedAfter (a day)": { updatedAfter: END - 86_400_000 },
  createdBefore: { createdBefore: START + 86_400_000 },
  "var.orderId": variable("orderId", "eq", "A-17"),
  "var.total": variable("total", "eq", 17),
  "var.total.gte": variable("total", "gte", 4_000),
  "var.due.lt": variable("due", "lt", START + 864_000_000 * 2),
  "var.total, definition, status": { ...variable("total", "eq", 17), definition: "order_17", status: "completed" },
};

const database = openDatabase();
addRows(database, COUNT);
const db = catalogOver(database);
console.log("| filter | page 1 | page 100 | rows of page 100 | stopped early | count | count in |");
console.log("|---|---|---|---|---|---|---|");
for (const [name, filters] of Object.entries(cases)) console.log(await lineOf(name, filters));

async function lineOf(name: string, filters: ExecutionFilters): Promise<string> {
  const first = await medianOf(() => pageOf(db, filters, null));
  let cursor: string | null = null;
  let page = 1;
  for (; page < PAGES; page++) {
    const { nextCursor } = await pageOf(db, filters, cursor);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  const last = await medianOf(() => pageOf(db, filters, cursor));
  const count = await medianOf(() => countExecutions(db, TENANT, filters));
  const { value, exact } = count.result;
  const early = [first, last].some(({ result }) => result.stoppedEarly) ? "yes" : "no";
  const shown = `${last.ms.toFixed(2)}${page < PAGES ? ` (page ${page})` : ""}`;
  const cells = [name, first.ms.toFixed(2), shown, last.result.data.length, early];
  return `| ${[...cells, exact ? value : `${value} or more`, count.ms.toFixed(2)].join(" | ")} |`;
}

async function pageOf(on: Db, filters: ExecutionFilters, cursor: string | null) {
  const page = await listExecutions(on, TENANT, filters, cursor, LIMIT);
  if (!page.ok) throw new Error(page.refusal.message);
  return page.value;
}

async function medianOf<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly result: T }> {
  let result = await work();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const from = process.cpuUsage();
    result = await work();
    const { user, system } = process.cpuUsage(from);
    times.push((user + system) / 1_000);
  }
  return { ms: times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0, result };
}
