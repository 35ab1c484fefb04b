// The catalog's lists in memory, by the rules of src/catalog/projections/projections.ts: a test holds them up to D1. An id that is used
// again is another life: executions stand beside each other, and of runs the later life has the name.
import { newest, replacesRun } from "#catalog/projections/projections.ts";
import type { AuditRow, ExecutionRow, ProjectionMessage, RunRow } from "#schema/engine/projection.ts";

export type Lists = {
  readonly apply: (message: ProjectionMessage) => void;
  /** Lets go of what one life left behind. */
  readonly purge: (row: ExecutionRow) => void;
  /** Of one life of that id; the latest, where none is named. */
  readonly execution: (id: string, createdAt?: number) => ExecutionRow | undefined;
  readonly executions: () => readonly ExecutionRow[];
  readonly run: (execution: string, run: string) => RunRow | undefined;
  readonly runs: () => readonly RunRow[];
  readonly hasAudit: (id: string) => boolean;
};

export function openLists(): Lists {
  const executions = new Map<string, ExecutionRow>();
  const runs = new Map<string, RunRow>();
  const audit = new Map<string, AuditRow>();
  return {
    apply: (message) => {
      for (const row of message.executions) {
        const key = `${row.tenant}/${row.createdAt}/${row.id}`;
        executions.set(key, newest([executions.get(key) ?? row, row], () => [key])[0] ?? row);
      }
      for (const row of message.runs) {
        const key = `${row.tenant}/${row.execution}/${row.id}`;
        const held = runs.get(key);
        if (held === undefined || replacesRun(row, held))
          runs.set(key, { ...row, incarnation: Math.max(row.incarnation, held?.incarnation ?? 0) });
      }
      for (const row of message.audit) if (!audit.has(row.id)) audit.set(row.id, row);
    },
    purge: ({ tenant, createdAt, id }) => {
      executions.delete(`${tenant}/${createdAt}/${id}`);
      for (const [key, run] of runs) if (run.execution === id && run.incarnation === createdAt) runs.delete(key);
    },
    execution: (id, createdAt) => {
      const lives = [...executions.values()].filter((row) => row.id === id);
      if (createdAt !== undefined) return lives.find((row) => row.createdAt === createdAt);
      return lives.toSorted((a, b) => a.createdAt - b.createdAt).at(-1);
    },
    executions: () => [...executions.values()],
    run: (execution, run) => [...runs.values()].find((row) => row.execution === execution && row.id === run),
    runs: () => [...runs.values()],
    hasAudit: (id) => audit.has(id),
  };
}
