// Run list: the filters of the list of all runs, and its items.
import { z } from "zod";
import { holdReasons } from "#schema/engine/outcome.ts";
import { executionIdText, triggerIdText } from "#schema/ids.ts";
import type { StartedBy } from "#schema/inbound/started-by.ts";
import type { RunRow } from "#schema/engine/projection.ts";
import { REFERENCE_CHARS_MAX } from "#schema/limits/api-requests.ts";
import * as query from "../query.ts";
import { presentActionSummary } from "./present.ts";
import { actionQuery, actionSummary } from "./shape.ts";

const text = z.string().min(1).max(REFERENCE_CHARS_MAX);

export const runListQuery = actionQuery.extend({
  actionId: text.optional().meta({ description: "The id of the action." }),
  connection: text
    .optional()
    .meta({
      description:
        "Only runs whose config names this connection, or whose last failed attempt used the connection with this id.",
    }),
  recipient: text
    .optional()
    .meta({
      description:
        "Only e-mails and SMS to this address or phone number, the newest first. Requires the scope `payloads`.",
    }),
  held: z
    .enum([...holdReasons, "operator"])
    .optional()
    .meta({ description: "Only runs that are held for this reason. operator: an operator holds the run." }),
  errorCode: text
    .optional()
    .meta({ description: "Only runs whose last error has this code, or this type if it has no code." }),
  tag: text.optional().meta({ description: "Only runs whose action has this tag." }),
  trigger: triggerIdText.optional().meta({ description: "Only runs of executions that this trigger started." }),
});

const { id: _id, actionId, ...fields } = actionSummary.shape;
export const runSummary = z
  .object({
    execution: executionIdText,
    run: z.string(),
    definition: z.string(),
    actionId,
    ...fields,
    tags: z.array(z.string()),
    connection: z
      .string()
      .nullable()
      .meta({ description: "The connection that the config names; null if it names none." }),
    held: z.string().nullable().meta({ description: "Why the run is held; null if it is not held." }),
    sentTo: z
      .array(z.string())
      .meta({ description: "The recipients of an e-mail or SMS. Hidden without the scope `payloads`." }),
    durationMs: z
      .number()
      .nullable()
      .meta({ description: "The duration of the last attempt; null if none has ended." }),
    startedBy: z.object({ trigger: triggerIdText, kind: z.string() }).nullable(),
  })
  .meta({ id: "RunSummary" });
export type ApiRunSummary = z.infer<typeof runSummary>;

export const runPage = query
  .pageOf(runSummary)
  .extend({
    stoppedEarly: z
      .boolean()
      .meta({ description: "true: the list read its most rows before the page was full. `nextCursor` continues." }),
  });

export function presentRunSummary(row: RunRow & { readonly startedBy: StartedBy | null }): ApiRunSummary {
  const { id: execution, ...summary } = presentActionSummary(row);
  return {
    ...summary,
    execution,
    run: row.id,
    definition: row.definition,
    tags: row.tags ?? [],
    connection: row.uses ?? null,
    held: row.held ?? null,
    sentTo: row.recipients ?? [],
    durationMs: row.tookMs ?? null,
    startedBy: row.startedBy,
  };
}
