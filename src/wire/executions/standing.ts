// Progress of a journey: API shapes of its nodes and of what follows.
import { z } from "zod";
import * as value from "#schema/values.ts";

const count = z.number().int();

export const scheduledNode = z
  .object({
    node: z.string(),
    at: value.instant
      .nullable()
      .meta({ description: "null: it depends on a missing variable, or an operator holds it." }),
    localTime: z.string().nullable().meta({ description: "Local time in the definition's zone." }),
    action: z.string().nullable().meta({ description: "The action's id; null if the node only waits." }),
    type: z.string().nullable(),
    queueItemId: z.string().nullable(),
    held: z
      .string()
      .nullable()
      .meta({
        description: "Why it is held: a reason such as `rate_limited`, `paused`, `by_hand`, `variable`, `slot`.",
      }),
  })
  .meta({ id: "ScheduledNode" });
export type ApiScheduledNode = z.infer<typeof scheduledNode>;

export const progress = z.object({
  completed: count.meta({ description: "Nodes done, skipped and failed." }),
  total: count,
  percentage: count.meta({ description: "Rounded down; 100 only when completed." }),
});

export const journeyStanding = z
  .object({
    currentNode: z.string().nullable(),
    completedNodes: z.array(z.string()).meta({ description: "In order of completion." }),
    skippedNodes: z.array(z.string()),
    failedNodes: z.array(z.string()),
    scheduledNodes: z.array(scheduledNode),
    progress,
  })
  .meta({ id: "JourneyStanding" });
export type ApiJourneyStanding = z.infer<typeof journeyStanding>;
