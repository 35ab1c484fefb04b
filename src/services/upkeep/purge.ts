// Lets go of what has been kept long enough, in chunks that D1 does in one go: it has one writer for everything.
import { purgeAudit } from "#catalog/audit.ts";
import { purgeExecutions } from "#catalog/executions.ts";
import { purgeAnswers } from "#catalog/kept-answers.ts";
import { purgeOperations } from "#catalog/operations.ts";
import { purgeTasks } from "#catalog/tasks.ts";
import { ANSWERS_KEPT_MS, AUDIT_KEPT_MS, PURGE_CHUNK_ROWS, PURGE_CHUNKS_MAX } from "#schema/limits/upkeep.ts";
import type { Deps } from "../deps.ts";

export type Purged = {
  readonly taskRows: number;
  readonly operationRows: number;
  readonly executionRows: number;
  readonly auditRows: number;
  readonly answers: number;
};

export async function purge(deps: Deps): Promise<Purged> {
  const now = deps.now();
  return {
    taskRows: await inChunks(() => purgeTasks(deps.db, now, PURGE_CHUNK_ROWS)),
    operationRows: await inChunks(() => purgeOperations(deps.db, now, PURGE_CHUNK_ROWS)),
    executionRows: await inChunks(() => purgeExecutions(deps.db, now, PURGE_CHUNK_ROWS)),
    auditRows: await inChunks(() => purgeAudit(deps.db, now - AUDIT_KEPT_MS, PURGE_CHUNK_ROWS)),
    answers: await inChunks(() => purgeAnswers(deps.db, now - ANSWERS_KEPT_MS, PURGE_CHUNK_ROWS)),
  };
}

async function inChunks(chunk: () => Promise<number>): Promise<number> {
  let rows = 0;
  for (let n = 0; n < PURGE_CHUNKS_MAX; n++) {
    const gone = await chunk();
    rows += gone;
    if (gone === 0) break;
  }
  return rows;
}
