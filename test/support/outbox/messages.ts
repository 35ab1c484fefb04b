// The outbox in tests: what an execution sends, and what its recipients confirm.
import { derivedRefs } from "#kernel/execution/outbox/outbox.ts";
import type { TaskUpdate, TaskUpdateResult } from "#schema/engine/own-task.ts";
import type { ChildRequestResult } from "#schema/engine/child.ts";
import type { Effect } from "#schema/engine/effect.ts";
import type { Command } from "#schema/engine/input.ts";
import type { Confirmation, OutboxKind, OutboxMessage } from "#schema/engine/outbox.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { hour, T0 } from "../drive.ts";

/** How many sends of a step have a message of that kind. */
export function sendsOf({ effects }: { readonly effects: readonly Effect[] }, wanted: OutboxKind): number {
  return effects.filter((effect) => effect.kind === "send" && effect.messages.some(({ kind }) => kind === wanted))
    .length;
}

export function messageOf(state: ExecutionState, wanted: OutboxKind): OutboxMessage | undefined {
  return state.outbox?.find(({ kind }) => kind === wanted);
}

/** With all that its tasks and children need, sent at that time. */
export function withOutbox<State extends Pick<ExecutionState, "tasks" | "children">>(state: State, sentAt: number) {
  const refs = derivedRefs(state as State & ExecutionState); // as much of it as is read
  return { ...state, outbox: refs.map((ref): OutboxMessage => ({ ...ref, sentAt, tries: 1 })) };
}

/** Of an execution that was created at T0. */
export function confirmed(...items: readonly Confirmation[]): Command {
  return { kind: "confirmed", incarnation: T0, items };
}

export type UpdatedTask = {
  readonly run: string;
  readonly kind: TaskUpdate["kind"];
  readonly number?: number;
} & TaskUpdateResult;

export function tasksUpdated(...updates: readonly UpdatedTask[]): Command {
  return confirmed(
    ...updates.map(({ run, kind, number, ...result }): Confirmation => {
      const key = [kind, run, ...(number === undefined ? [] : [number])].join("/");
      return { kind: "task_update", key, ...result };
    }),
  );
}

export function childrenDone(...results: readonly Partial<ChildRequestResult>[]): Command {
  return confirmed(
    ...results.map((result): Confirmation => {
      const { run = "1.0" } = result;
      const whole = { run, found: "canceled", execution: null, at: T0 + hour, ...result } as const;
      return { kind: "child_request", key: `cancel/${run}`, ...whole };
    }),
  );
}
