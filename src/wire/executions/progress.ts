// Progress of a journey: API shapes of its nodes and of its next nodes.
import { z } from "zod";
import * as value from "#schema/values.ts";

const count = z.number().int();

export const scheduledNode = z
  .object({
    node: z.string(),
    at: value.instant
      .nullable()
      .meta({
        description: "When the action is due; null if it depends on a missing variable, or an operator holds the run.",
      }),
    localTime: z.string().nullable().meta({ description: "The local time in the definition's time zone." }),
    action: z
      .string()
      .nullable()
      .meta({ description: "The action's id; null if the node has no action and only waits." }),
    type: z.string().nullable(),
    queueItemId: z.string().nullable(),
    held: z
      .string()
      .nullable()
      .meta({
        description:
          "Why the action is held, such as `rate_limited`, `paused`, `by_operator`, `variable` or `slot`; null if the action is not held.",
      }),
  })
  .meta({ id: "ScheduledNode" });
export type ApiScheduledNode = z.infer<typeof scheduledNode>;

export const progress = z.object({
  completed: count.meta({ description: "The number of nodes that are done, skipped or failed." }),
  total: count,
  percentage: count.meta({
    description: "The progress in per cent, rounded down. It is 100 only when the execution is completed.",
  }),
});

export const journeyStanding = z
  .object({
    currentNode: z.string().nullable(),
    completedNodes: z.array(z.string()).meta({ description: "The completed nodes, in order of completion." }),
    skippedNodes: z.array(z.string()),
    failedNodes: z.array(z.string()),
    scheduledNodes: z.array(scheduledNode),
    progress,
  })
  .meta({ id: "JourneyStanding" });
export type ApiJourneyStanding = z.infer<typeof journeyStanding>;
