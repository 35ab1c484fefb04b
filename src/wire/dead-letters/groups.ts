// Dead letter groups: their filters, and their API shape.
import { z } from "zod";
import type { DeadLetterGroup } from "#schema/dead-letter-filter.ts";
import * as value from "#schema/values.ts";
import { toInstant } from "#schema/values.ts";
import { deadLetterQuery } from "./shape.ts";

export const groupQuery = deadLetterQuery.omit({ cursor: true, limit: true });

export const deadLetterGroups = z.object({
  groups: z.array(
    z
      .object({
        cause: z.string().meta({ description: "The code of the error, or its type if it has no code." }),
        definition: z.string(),
        actionId: z.string(),
        type: z.string(),
        count: z.number().int(),
        oldest: value.instant,
        newest: value.instant,
      })
      .meta({ id: "DeadLetterGroup" }),
  ),
  exact: z.boolean().meta({ description: "false: only the newest dead letters, or the largest groups, were counted." }),
});

type Groups = { readonly groups: readonly DeadLetterGroup[]; readonly exact: boolean };

export function presentDeadLetterGroups({ groups, exact }: Groups) {
  const shown = groups.map(({ action, oldest, newest, ...group }) => ({
    ...group,
    actionId: action,
    oldest: toInstant(oldest),
    newest: toInstant(newest),
  }));
  return { groups: shown, exact };
}
