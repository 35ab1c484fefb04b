// The list of tasks in the catalog, the people who complete them, and the task updates of executions. Uses the protocol
// of src/services/tasks, over a catalog that is sometimes unavailable.
import { taskUpdates } from "#kernel/execution/tasks/task-updates.ts";
import type { ControlCommand } from "#schema/engine/cell.ts";
import type { Confirmation } from "#schema/engine/outbox.ts";
import type { TouchedTask } from "#schema/engine/outcome.ts";
import { mayPass } from "#schema/refusal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { taskEventId, TASK_SOURCE, type TaskStatus } from "#schema/task.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import type { Chance } from "../kit/chance.ts";
import { TENANT } from "../clients.ts";
import type { Faults } from "../faults.ts";
import type { Host } from "../host.ts";
import type { Handler } from "../outbox.ts";
import type { Timeline } from "../kit/timeline.ts";
import type { Life } from "../kit/evictable.ts";

export type SimTask = {
  readonly execution: string;
  readonly run: string;
  readonly action: string;
  status: TaskStatus;
  /** Whether the execution has confirmed the task's end. */
  told: boolean;
};

export type Tasks = {
  /** The runner's write. It arrives even if its runner is gone, and finds the task that an earlier attempt created. */
  readonly make: (ticket: Ticket) => readonly TouchedTask[];
  readonly update: Handler;
  readonly all: () => readonly SimTask[];
};

type Parts = {
  readonly timeline: Timeline;
  readonly faults: Faults;
  readonly chance: Chance;
  readonly host: (name: string) => Host;
};

const SWEEP_MS = 5 * 60_000;
const MINUTE_MS = 60_000;

export function openTasks({ timeline, faults, chance, host }: Parts): Tasks {
  const list = new Map<string, SimTask>();
  const outside: Life = { alive: true };

  const write = (): void => {
    if (faults.strikes("catalogDown")) throw new Error("the catalog is down");
  };

  const make = ({ execution, run, action }: Ticket): readonly TouchedTask[] => {
    write();
    const id = `${execution}/${run}`;
    const known = list.get(id);
    const task = known ?? { execution, run, action, status: "open", told: false };
    list.set(id, task);
    if (!known) void person(task);
    const isOpen = task.status === "open" || (task.status === "completed" && !task.told);
    const at = timeline.now() + 5 * MINUTE_MS;
    const watch = { remind: { at, everyMs: 7 * MINUTE_MS, given: 0, left: 3 }, escalateAt: at + MINUTE_MS };
    return [{ run, id, isOpen, ...(task.status === "open" ? { watch } : {}) }];
  };

  /** A person who completes the task at some time, or never; the execution is then notified until it confirms. */
  const person = async (task: SimTask): Promise<void> => {
    if (chance.yes(0.3)) return;
    await timeline.sleep(chance.between(0, 25 * MINUTE_MS), outside);
    if (task.status !== "open") return;
    task.status = "completed";
    timeline.note(`a person completes ${task.execution}/${task.run}`);
    while (isPending(task)) {
      try {
        await tell(task);
      } catch (fault) {
        timeline.note(`the end of ${task.execution}/${task.run} is not told: ${(fault as Error).message}`);
      }
      if (isPending(task)) await timeline.sleep(SWEEP_MS, outside);
    }
  };

  const tell = async (task: SimTask): Promise<void> => {
    const command = endOf(task);
    const { execution } = task;
    const [answer] = await host(cellName(TENANT, execution)).call(outside, (calls) =>
      calls.control([{ execution, command, dryRun: false }]),
    );
    if (!answer || (!answer.ok && mayPass(answer.refusal))) throw new Error("it could not take it");
    const refused = answer.ok ? null : answer.refusal.code;
    timeline.note(`${execution} hears of the end of task ${task.run}: ${refused ?? "taken"}`);
    write();
    if (!isPending(task)) return;
    if (refused === "execution_final" || refused === "task_closed") task.status = "withdrawn";
    task.told = true;
  };

  const update: Handler = async (sender, messages) => {
    const wanted = new Set(messages.map(({ key }) => key));
    return taskUpdates(sender)
      .filter(({ key }) => wanted.has(key))
      .map(({ key, run, kind }): Confirmation => {
        write();
        const task = list.get(`${sender.id}/${run}`);
        timeline.note(`${kind} task ${sender.id}/${run}: ${task?.status ?? "none"}`);
        if (!task) return { kind: "task_update", key, found: "none" };
        const wasOpen = kind === "withdraw" ? task.status === "open" || isPending(task) : task.status === "open";
        if (wasOpen && kind === "withdraw") [task.status, task.told] = ["withdrawn", true];
        return { kind: "task_update", key, found: wasOpen ? "open" : "closed", task: seenOf(task) };
      });
  };

  return { make, update, all: () => [...list.values()] };
}

function isPending({ status, told }: SimTask): boolean {
  return status === "completed" && !told;
}

function seenOf({ execution, run }: SimTask) {
  const nobody = { assignee: null, priority: null, dueAt: null, escalatedFrom: null };
  return { id: `${execution}/${run}`, title: "a task", ...nobody };
}

/** The event's id follows from the run's, so that a duplicate counts once. */
function endOf({ execution, run, action }: SimTask): ControlCommand {
  const id = taskEventId(run);
  const payload = { taskId: `${execution}/${run}`, actionId: action, run };
  const event = { id, type: "task_completed", payload, source: TASK_SOURCE, correlationId: null };
  return { kind: "event", event, inputId: id, fingerprint: id, actor: { kind: "engine", id: "tasks" } };
}
