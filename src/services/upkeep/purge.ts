// Purge: deletes data beyond its retention, in small chunks. D1 executes one write at a time, so a large delete would
// block all others. The sweep calls this.
import { PURGE_CHUNKS_MAX, PURGE_CHUNK_ROWS } from "#schema/limits/upkeep/retention.ts";
import { purgeAudit } from "../audit/audit.ts";
import { purgeSessions } from "../caller/sessions.ts";
import { purgeStoredResponses } from "../caller/stored-responses.ts";
import type { Deps } from "../deps.ts";
import { purgeExecutions } from "../executions/executions.ts";
import { purgeOperations } from "../operations/operations.ts";
import { purgeReports } from "../hooks/delivery-status.ts";
import { purgeOldDays } from "../monitor/daily-figures.ts";
import { purgeTasks } from "../tasks/tasks.ts";

export type PurgeSummary = {
  readonly taskRows: number;
  readonly operationRows: number;
  readonly executionRows: number;
  readonly auditRows: number;
  readonly answers: number;
  readonly dayRows: number;
  readonly reportRows: number;
  readonly sessionRows: number;
};

export async function purge(deps: Deps): Promise<PurgeSummary> {
  return {
    taskRows: await inChunks(() => purgeTasks(deps, PURGE_CHUNK_ROWS)),
    operationRows: await inChunks(() => purgeOperations(deps, PURGE_CHUNK_ROWS)),
    executionRows: await inChunks(() => purgeExecutions(deps, PURGE_CHUNK_ROWS)),
    auditRows: await inChunks(() => purgeAudit(deps, PURGE_CHUNK_ROWS)),
    answers: await inChunks(() => purgeStoredResponses(deps, PURGE_CHUNK_ROWS)),
    dayRows: await inChunks(() => purgeOldDays(deps, PURGE_CHUNK_ROWS)),
    reportRows: await inChunks(() => purgeReports(deps, PURGE_CHUNK_ROWS)),
    sessionRows: await inChunks(() => purgeSessions(deps, PURGE_CHUNK_ROWS)),
  };
}

async function inChunks(chunk: () => Promise<number>): Promise<number> {
  let rows = 0;
  for (let n = 0; n < PURGE_CHUNKS_MAX; n++) {
    const deleted = await chunk();
    rows += deleted;
    if (deleted === 0) break;
  }
  return rows;
}
