// Dead projections: projections in the dead-letter queue. Each execution sends its current state to the catalog again.
// Rows that no execution can repeat are written directly: audit rows, and executions that were canceled while
// unreadable.
import type { ProjectionMessage } from "#schema/engine/projection.ts";
import { byCell } from "#services/cells/call-cell.ts";
import type { Deps } from "#services/deps.ts";
import { parse, retryProjection, writeArrivals } from "./projections.ts";

export async function consumeDeadProjections(batch: MessageBatch, deps: Deps): Promise<void> {
  const arrivals = batch.messages.flatMap((message) => parse(message, deps));
  const unwritten = Array.from(await writeArrivals(arrivals, deps));
  const back = new Set(unwritten.filter(isToldHereOnly).map(({ message }) => message));
  const untold = await reproject(
    deps,
    arrivals.map(({ body }) => body),
  );
  for (const { message, body } of arrivals) {
    const isTold = executionsOf(body).every(({ tenant, id }) => !untold.has(nameOf(tenant, id)));
    if (isTold && !back.has(message)) message.ack();
    else retryProjection(message);
  }
}

function isToldHereOnly({ body }: { readonly body: ProjectionMessage }): boolean {
  return body.audit.length > 0 || (body.recurring ?? []).length > 0;
}

/**
 * Requests new projections from the cells. Returns the executions that could not send theirs; their messages are
 * retried.
 */
async function reproject(deps: Deps, bodies: readonly ProjectionMessage[]): Promise<ReadonlySet<string>> {
  const untold = new Set<string>();
  for (const { cell, tenant, ids } of byCell(bodies.flatMap(executionsOf))) {
    const left = await askCell(deps, cell, ids);
    for (const id of left) untold.add(nameOf(tenant, id));
  }
  return untold;
}

async function askCell(deps: Deps, cell: string, ids: readonly string[]): Promise<readonly string[]> {
  try {
    return await deps.cell(cell).reproject(ids);
  } catch (cause) {
    deps.log({ level: "error", message: "dead projections not recovered", what: cell, error: String(cause) });
    return ids;
  }
}

function nameOf(tenant: string, execution: string): string {
  return `${tenant}/${execution}`;
}

function executionsOf({ executions, runs, quarantined = [] }: ProjectionMessage) {
  return [
    ...executions.map(({ tenant, id }) => ({ tenant, id })),
    ...runs.map(({ tenant, execution }) => ({ tenant, id: execution })),
    ...quarantined.map(({ tenant, id }) => ({ tenant, id })),
  ];
}
