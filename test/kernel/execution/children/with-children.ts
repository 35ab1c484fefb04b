// An execution that starts children, driven through the kernel. The test plays the children and the queue.
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

/** Each action has a slot. */
export const starting = (...actions: ReturnType<typeof starts>[]) =>
  drive({ states, concurrency: 10, retention: "PT1H", actions }).start();

export const made = (execution: string) => success({ result: { execution, definition: "child" } });

/** An execution with one live child. */
export const withChild = (onCancel?: ChildPolicy, wait = true) =>
  starting(starts("begin", { wait, ...(onCancel ? { onCancel } : {}) })).ok("begin", {
    result: { execution: "exe_child" },
  });

/** The message that src/services/executions/children/notify-parent.ts sends. */
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
