// Planted faults: ends of children, tasks and runs of which only one is handled.
import { action } from "#test/support/drive.ts";
import { add, drop, put, states, type Planted } from "./shop.ts";

const starting = (part: object = {}) =>
  action("begin", { type: "start_execution", config: { definition: "other", wait: true, ...part } });
const asking = () => action("ask", { type: "task", config: { title: "Look" } });
const on = (heard: object) => ({ entry: ["begin"], on: heard });
const ends = { child_completed: "done", child_failed: "done", child_canceled: "done", "action.begin.failed": "done" };
const { child_failed: _failed, ...unlessFailed } = ends;
const { "action.begin.failed": _begun, ...unlessBegun } = ends;
const place = "/states/open/on/child_completed";

export const childrenAndTasks: readonly Planted[] = [
  {
    fault: "waiting for a child, handling every end except its failure",
    definition: states(on(unlessFailed), {}, { actions: [starting()] }),
    code: "end_unhandled",
    pointer: place,
    mend: [add("/states/open/on/child_failed", "done")],
  },
  {
    fault: "waiting for a child's success, where something else may come",
    definition: states(
      on({ child_completed: "done", "action.begin.failed": "done", close: "done" }),
      {},
      { actions: [starting()] },
    ),
    code: "end_unhandled",
    pointer: place,
    severity: "hint",
    mend: [add("/states/open/on/child_failed", "done"), add("/states/open/on/child_canceled", "done")],
  },
  {
    fault: "waiting for a child that may never have begun",
    definition: states(on(unlessBegun), {}, { actions: [starting()] }),
    code: "failure_unhandled",
    pointer: place,
  },
  {
    fault: "waiting for a child that sends no end notice",
    definition: states(
      on({ child_completed: "done", "action.begin.failed": "done" }),
      {},
      { actions: [starting({ wait: false })] },
    ),
    code: "event_never_caused",
    pointer: place,
    mend: [
      put("/actions/0/config/wait", true),
      add("/states/open/on/child_failed", "done"),
      add("/states/open/on/child_canceled", "done"),
    ],
  },
  {
    fault: "waiting for a task that may be canceled",
    definition: states({ entry: ["ask"], on: { task_completed: "done" } }, {}, { actions: [asking()] }),
    code: "end_unhandled",
    pointer: "/states/open/on/task_completed",
    mend: [add("/states/open/on/task_canceled", "done")],
  },
  {
    fault: "waiting for a task that no action creates",
    definition: states({ on: { task_completed: "done", close: "done" } }),
    code: "event_never_caused",
    pointer: "/states/open/on/task_completed",
    mend: [drop("/states/open/on/task_completed")],
  },
  {
    fault: "a task that is asked for in one state and waited for in another",
    definition: states(
      { on: { "action.ask.ok": "waiting", "action.ask.failed": "done" } },
      { waiting: { on: { task_completed: "done", task_canceled: "done" } } },
      { actions: [{ ...asking(), triggerState: "open" }] },
    ),
    code: "task_withdrawn_early",
    pointer: "/actions/0",
    mend: [add("/states/open/on/task_completed", "done"), add("/states/open/on/task_canceled", "done")],
  },
  {
    fault: "waiting for a task that is only ever changed",
    definition: states(
      { on: { task_completed: "done", close: { target: "done", actions: ["drop"] } } },
      {},
      { actions: [action("drop", { type: "task", config: { operation: "withdraw", task: "{{ message.payload }}" } })] },
    ),
    code: "event_never_caused",
    pointer: "/states/open/on/task_completed",
    mend: [drop("/states/open/on/task_completed")],
  },
  {
    fault: "listening for a reminder that is never sent",
    definition: states(
      { entry: ["ask"], on: { task_completed: "done", task_canceled: "done", task_reminder: {} } },
      {},
      { actions: [asking()] },
    ),
    code: "event_never_caused",
    pointer: "/states/open/on/task_reminder",
    mend: [add("/actions/0/config/reminder", { every: "P1D" })],
  },
  {
    fault: "listening for an escalation that never comes",
    definition: states(
      { entry: ["ask"], on: { task_completed: "done", task_canceled: "done", task_escalated: {} } },
      {},
      { actions: [asking()] },
    ),
    code: "event_never_caused",
    pointer: "/states/open/on/task_escalated",
    mend: [add("/actions/0/config/escalateTo", { assignee: "boss", after: "P1D" })],
  },
  {
    fault: "waiting for what a run says when it went well",
    definition: states({ entry: ["call"], on: { webhook_called: "done" } }, {}, { actions: [action("call")] }),
    code: "failure_unhandled",
    pointer: "/states/open/on/webhook_called",
    mend: [add("/states/open/on/action.call.failed", "done")],
  },
];
