// Projections that never reached the catalog. The executions themselves know better by now: each is asked to tell
// again. Audit rows are in the message only, so those are written from here.
import { applyProjections } from "#catalog/projections.ts";
import type { ProjectionMessage } from "#schema/engine/projection.ts";
import { byCell } from "#services/cells/by-cell.ts";
import type { Deps } from "#services/deps.ts";
import { cellName } from "#services/cells/placement.ts";
import { parse, retryDelaySeconds } from "./projections.ts";

export async function consumeDeadProjections(batch: MessageBatch, deps: Deps): Promise<void> {
  const arrivals = batch.messages.flatMap((message) => parse(message, deps));
  const bodies = arrivals.map(({ body }) => body);
  const auditIsWritten = await succeeds(deps, "audit rows", () => writeAudit(deps, bodies));
  const silent = await reproject(deps, bodies);
  for (const { message, body } of arrivals) {
    const isTold = executionsOf(body).every(({ tenant, id }) => !silent.has(cellName(tenant, id)));
    if (isTold && (auditIsWritten || body.audit.length === 0)) message.ack();
    else message.retry({ delaySeconds: retryDelaySeconds(message.attempts) });
  }
}

async function writeAudit(deps: Deps, bodies: readonly ProjectionMessage[]): Promise<void> {
  await applyProjections(deps.db, [{ v: 1, executions: [], runs: [], audit: bodies.flatMap((body) => body.audit) }]);
}

/** The names of cells that could not be asked. */
async function reproject(deps: Deps, bodies: readonly ProjectionMessage[]): Promise<ReadonlySet<string>> {
  const silent = new Set<string>();
  for (const { cell, ids } of byCell(bodies.flatMap(executionsOf))) {
    if (!(await succeeds(deps, cell, () => deps.cell(cell).reproject(ids)))) silent.add(cell);
  }
  return silent;
}

async function succeeds(deps: Deps, what: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (cause) {
    deps.log({ level: "error", message: "dead projections not recovered", what, error: String(cause) });
    return false;
  }
}

function executionsOf({ executions, runs }: ProjectionMessage) {
  return [
    ...executions.map(({ tenant, id }) => ({ tenant, id })),
    ...runs.map(({ tenant, execution }) => ({ tenant, id: execution })),
  ];
}
