// Operations over executions: converts request bodies to internal commands, and dry-run previews to API objects.
import { STOP_AFTER } from "#schema/limits/upkeep/bulk-operations.ts";
import type { ExecutionFilter, ExecutionCommand, StopCondition } from "#schema/engine/execution-command.ts";
import { toInstant } from "#schema/values.ts";
import type { z } from "zod";
import type { ApiCommandPreview, commandOperationBody } from "./command-operation.ts";

type Asked = z.output<typeof commandOperationBody>;

export function toCommand(asked: Asked): ExecutionCommand {
  switch (asked.verb) {
    case "pause":
    case "resume":
      return { verb: asked.verb };
    case "cancel":
      return { verb: "cancel", ...(asked.children === undefined ? {} : { children: asked.children }) };
    case "patch":
      return { verb: "patch", variables: asked.variables };
    case "event": {
      const { type, payload = null, source = null } = asked.event;
      return { verb: "event", type, payload, source };
    }
    case "desire":
      return { verb: "desire", desired: asked.desired, mode: asked.mode ?? "merge" };
    case "skip": {
      const { node, action = "", result } = asked;
      const target = node === undefined ? { action } : { node };
      return { verb: "skip", target, ...(result === undefined ? {} : { result }) };
    }
    case "reschedule": {
      const { timer, action = "", at } = asked;
      return { verb: "reschedule", target: timer === undefined ? { action } : { timer }, at: Date.parse(at) };
    }
    case "cancel-action": {
      const { action, result } = asked;
      return { verb: "cancel-action", action, ...(result === undefined ? {} : { result }) };
    }
    case "hold":
    case "release":
      return { verb: asked.verb, action: asked.action };
    case "retry":
      return { verb: "retry", action: asked.action ?? null };
  }
}

export function toExecutionFilter({ createdAfter, createdBefore, ...plain }: Asked["filter"]): ExecutionFilter {
  return {
    ...plain,
    ...(createdAfter === undefined ? {} : { createdAfter: Date.parse(createdAfter) }),
    ...(createdBefore === undefined ? {} : { createdBefore: Date.parse(createdBefore) }),
  };
}

export function toStopCondition(asked: Asked["stopAt"]): StopCondition | null {
  if (asked === undefined) return null;
  const { failedShare, after = STOP_AFTER.usual, states } = asked;
  return { failedShare, after, ...(states === undefined ? {} : { states }) };
}

type Preview = {
  readonly matching: number;
  readonly estimatedSeconds: number;
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly byStatus: { readonly [status: string]: number };
  readonly byDefinition: { readonly [definition: string]: number };
  readonly sample: {
    readonly of: number;
    readonly outcomes: { readonly [outcome: string]: number };
    readonly items: readonly Item[];
  };
};
type ApiItem = ApiCommandPreview["sample"]["items"][number];
type Item = Omit<Readonly<ApiItem>, "states" | "entries"> & {
  readonly states: readonly string[];
  readonly entries: readonly string[];
};

export function presentCommandPreview({ sample, oldest, newest, ...told }: Preview): ApiCommandPreview {
  const { of, outcomes, items } = sample;
  return {
    dryRun: true,
    ...told,
    byStatus: { ...told.byStatus },
    byDefinition: { ...told.byDefinition },
    oldest: toInstant(oldest),
    newest: toInstant(newest),
    sample: {
      of,
      outcomes: { ...outcomes },
      items: items.map((item) => ({ ...item, states: [...item.states], entries: [...item.entries] })),
    },
  };
}
