// Does what an execution wants done about its tasks, and tells it what came of each. What it wants is read where it lives,
// so that a message that comes late, or twice, does nothing that is not wanted any more.
import { escalateTask } from "#catalog/tasks/escalated-tasks.ts";
import type { StoredTask } from "#catalog/tasks/tasks.ts";
import { taskOfRun, withdrawTask } from "#catalog/tasks/withdrawn-tasks.ts";
import { errandsOf } from "#kernel/execution/tasks/task-updates.ts";
import type { Errand, ErrandDone, TaskSeen } from "#schema/engine/asked-task.ts";
import { ERRANDS_AT_ONCE_MAX } from "#schema/limits/kernel.ts";
import { isUndecided } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { auditRow } from "../audit/record-audit.ts";
import { cellName } from "../cells/placement.ts";
import type { Deps, TenantCaller } from "../deps.ts";

export type Asking = { readonly tenant: string; readonly execution: string };
type Parts = Pick<Deps, "db" | "now" | "randomBytes" | "cell" | "log">;

/** False: some could not be done, or not be told of, just now. Throws where an object cannot be reached. */
export async function doErrands(deps: Parts, { tenant, execution }: Asking): Promise<boolean> {
  const cell = deps.cell(cellName(tenant, execution));
  const read = await cell.read(execution);
  // Done before and gone since.
  if (!read.ok) return true;
  const errands = errandsOf(read.value).slice(0, ERRANDS_AT_ONCE_MAX);
  if (errands.length === 0) return true;
  const { done, left } = await doEach(deps, read.value, errands);
  if (done.length === 0) return false;
  const [answer] = (await cell.errandsDone([{ execution, done }])) ?? [];
  return left === 0 && !(answer && !answer.ok && isUndecided(answer.refusal));
}

/** One that cannot be done keeps none of the others. */
async function doEach(
  deps: Parts,
  state: ExecutionState,
  errands: readonly Errand[],
): Promise<{ readonly done: readonly ErrandDone[]; readonly left: number }> {
  const ends = await Promise.allSettled(errands.map((errand) => doOne(deps, state, errand)));
  for (const end of ends) {
    if (end.status === "fulfilled") continue;
    deps.log({ level: "warn", event: "errand_not_done", execution: state.id, message: String(end.reason) });
  }
  const done = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
  return { done, left: ends.length - done.length };
}

async function doOne(deps: Parts, state: ExecutionState, errand: Errand): Promise<ErrandDone> {
  const { tenant, id: execution, createdAt: incarnation } = state;
  const { run, kind } = errand;
  const number = errand.kind === "remind" ? { number: errand.number } : {};
  const task = await taskOfRun(deps.db, { tenant, execution, run, incarnation });
  if (task === null) return { run, kind, ...number, found: "none" };
  const after = await carryOut(deps, state, errand, task);
  return { run, kind, ...number, found: after ? "open" : "closed", task: seen(after ?? task) };
}

/** null: it had ended before. */
async function carryOut(
  deps: Parts,
  { tenant, id: execution }: ExecutionState,
  errand: Errand,
  task: StoredTask,
): Promise<StoredTask | null> {
  const caller: TenantCaller = { actor: { kind: "engine", id: execution }, tenant, scopes: [] };
  const audit = (verb: string, reason: string | null) => auditRow(deps, caller, verb, task.id, reason);
  switch (errand.kind) {
    case "withdraw": {
      const { at, reason } = errand;
      const entry = audit("task.withdraw", reason);
      return (await withdrawTask(deps.db, task, { at, by: entry.actor, reason }, entry)) ? task : null;
    }
    case "remind":
      return task.status === "open" ? task : null;
    case "escalate":
      return escalateTask(deps.db, task, deps.now(), audit("task.escalate", null));
  }
}

function seen({ id, title, assignee, priority, dueAt, escalatedFrom }: StoredTask): TaskSeen {
  return { id, title, assignee, priority, dueAt, escalatedFrom };
}
