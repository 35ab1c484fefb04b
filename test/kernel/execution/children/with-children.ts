// An execution that starts others, driven through the kernel; what they and the queue do is said by the test.
import type { ChildPolicy } from "#schema/engine/child.ts";
import type { Command } from "#schema/engine/input.ts";
import { action, ask, drive, success, type Drive } from "#test/support/drive.ts";
import { sendsOf } from "#test/support/outbox/messages.ts";

export { childrenDone } from "#test/support/outbox/messages.ts";

type Config = { readonly wait?: boolean; readonly onCancel?: ChildPolicy };

export const starts = (actionId: string, config: Config = { wait: true }, more: object = {}) =>
  action(actionId, { type: "start_execution", triggerState: "a", config: { definition: "child", ...config }, ...more });

const states = {
  a: { on: { go: "b", child_completed: { assign: { heard: true } }, finish: "done", fall: "broken" } },
  b: { on: { back: "a" } },
  done: { type: "final" as const },
  broken: { type: "final" as const, outcome: "failed" as const },
};

/** A slot for each. */
export const starting = (...actions: ReturnType<typeof starts>[]) =>
  drive({ states, concurrency: 10, retention: "PT1H", actions }).start();

export const made = (execution: string) => success({ result: { execution, definition: "child" } });

/** One child, at work. */
export const withChild = (onCancel?: ChildPolicy, wait = true) =>
  starting(starts("begin", { wait, ...(onCancel ? { onCancel } : {}) })).ok("begin", {
    result: { execution: "exe_child" },
  });

/** As src/services/executions/children/notify-parent.ts tells it. */
export const childEnds = (status = "completed", run = "1.0", execution = "exe_child"): Command => {
  const event = ask.event(`child_${status}`, { run, execution, status }, `child/${execution}`);
  if (event.kind !== "event") throw new Error("it is one");
  return { ...event, event: { ...event.event, source: "execution" } };
};

export const cancel = (children?: ChildPolicy): Command => {
  const plain = ask.cancel("enough");
  if (plain.kind !== "cancel") throw new Error("it is one");
  return { ...plain, ...(children ? { children } : {}) };
};

export const sent = (t: Drive): number => sendsOf(t, "child_request");

export const kept = ({ state }: Pick<Drive, "state">) =>
  (state.children ?? []).map(({ run, execution, onCancel, stopping }) => {
    return `${run} ${execution ?? "?"} ${stopping?.reason ?? onCancel}`;
  });
