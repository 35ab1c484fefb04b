// Planted faults: work that takes longer than its state is active.
import { action } from "#test/support/drive.ts";
import { put, drop, shop, states, calling, type Planted } from "./shop.ts";

export const times: readonly Planted[] = [
  {
    fault: "a delay beyond the state's time",
    definition: calling({ delay: "PT2H" }, { after: { PT1H: "done" } }),
    code: "delay_beyond_state",
    pointer: "/actions/0/delay",
  },
  {
    fault: "a delay beyond the time of the state around",
    definition: states(
      { initial: "a", after: { hour: "done" }, states: { a: {} } },
      {},
      { delays: { hour: { offset: "PT1H" } }, actions: [action("call", { triggerState: "open.a", delay: 7_200_000 })] },
    ),
    code: "delay_beyond_state",
    pointer: "/actions/0/delay",
    mend: [put("/actions/0/delay", "PT30M")],
  },
  {
    fault: "a delay in a state that is left at once",
    definition: calling({ delay: 1000 }, { always: "done" }),
    code: "delay_beyond_state",
    pointer: "/actions/0/delay",
    mend: [drop("/actions/0/delay")],
  },
  {
    fault: "a timeout longer than the state's time",
    definition: calling({ timeout: 60_000 }, { after: { 5000: "done" } }),
    code: "timeout_beyond_state",
    pointer: "/actions/0/timeout",
    severity: "hint",
  },
  {
    fault: "a ladder longer than the state's time",
    definition: calling(
      { retryPolicy: { maxAttempts: 5, backoffStrategy: "fixed", baseDelay: 60_000 } },
      { after: { PT2M: "done" } },
    ),
    code: "retries_beyond_state",
    pointer: "/actions/0/retryPolicy",
    severity: "hint",
  },
  {
    fault: "a preset's ladder longer than the state's time",
    definition: calling({ retryPolicy: "email" }, { after: { PT5M: "done" } }),
    code: "retries_beyond_state",
    pointer: "/actions/0/retryPolicy",
    severity: "hint",
  },
  {
    fault: "a task that is due after its wait has ended",
    definition: calling(
      { type: "task", config: { title: "Look", dueDate: "P7D" } },
      { on: { task_completed: "done", task_canceled: "done" }, after: { P3D: "done" } },
    ),
    code: "due_beyond_state",
    pointer: "/actions/0/config/dueDate",
    severity: "hint",
  },
  {
    fault: "a task that is due later than a number of milliseconds",
    definition: calling({ type: "task", config: { title: "Look", dueDate: "P7D" } }, { after: { 3_600_000: "done" } }),
    code: "due_beyond_state",
    pointer: "/actions/0/config/dueDate",
    severity: "hint",
    mend: [put("/actions/0/config/dueDate", "PT1H")],
  },
  {
    fault: "a schedule in a state that is left at once",
    definition: calling({ schedule: "0 9 * * *" }, { always: "done" }),
    code: "schedule_never",
    pointer: "/actions/0/schedule",
    mend: [drop("/actions/0/schedule")],
  },
  {
    fault: "a schedule in a final state",
    definition: shop({ actions: [action("call", { triggerState: "done", schedule: "0 9 * * *" })] }),
    code: "schedule_never",
    pointer: "/actions/0/schedule",
    mend: [put("/actions/0/triggerState", "open")],
  },
];
