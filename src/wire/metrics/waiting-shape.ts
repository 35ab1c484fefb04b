// Waiting work: API shape of the oldest items by class and definition.
import { z } from "zod";
import { WAITING_READ_MAX } from "#schema/limits/upkeep/statistics.ts";
import { waitingClasses } from "#schema/metrics/waiting.ts";
import { instant, toInstant } from "#schema/values.ts";

const waitingClass = z
  .enum(waitingClasses)
  .meta({
    description:
      "`dead_letter`: waits for an operator. `due`: a run that should start or be retried now. `overdue`: an execution whose wake has passed, and which the sweeper could not wake. `paused`, `waiting`: an execution in this status.",
  });

export const waitingWork = z
  .object({
    asOf: instant,
    data: z.array(
      z.object({
        class: waitingClass,
        definition: z.string(),
        count: z
          .number()
          .int()
          .meta({ description: `The number of items. Each class counts its first ${WAITING_READ_MAX} items.` }),
        oldestAt: instant.meta({ description: "Since when the oldest item waits." }),
        ageSeconds: z.number().meta({ description: "How long the oldest item has waited." }),
      }),
    ),
  })
  .meta({ id: "WaitingWork" });
export type ApiWaitingWork = z.infer<typeof waitingWork>;

type Waiting = {
  readonly asOf: number;
  readonly work: readonly {
    readonly class: z.infer<typeof waitingClass>;
    readonly definition: string;
    readonly count: number;
    readonly oldestAt: number;
    readonly ageMs: number;
  }[];
};

export function presentWaiting({ asOf, work }: Waiting): ApiWaitingWork {
  return {
    asOf: toInstant(asOf),
    data: work.map(({ oldestAt, ageMs, ...each }) => ({
      ...each,
      oldestAt: toInstant(oldestAt),
      ageSeconds: Math.floor(ageMs / 1_000),
    })),
  };
}
