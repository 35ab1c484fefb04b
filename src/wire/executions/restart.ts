// Restarts: API shapes of the state or node where a restart begins, and of the earlier execution's results.
import { z } from "zod";
import type { Reply } from "#schema/engine/cell.ts";
import { repeatReasons, type ListedResult, type RestartPoint } from "#schema/family/restart.ts";
import { executionIdText } from "#schema/ids.ts";
import { DEFINITION_ACTIONS_MAX } from "#schema/limits/definition-sizes.ts";
import { RESTART_RESULTS_LISTED_MAX } from "#schema/limits/executions.ts";
import { toInstant } from "#schema/values.ts";
import * as value from "#schema/values.ts";
import { presentReply } from "../history/present.ts";
import { reply } from "../history/shape.ts";
import { redactOutcome } from "../short-lived.ts";

const name = z.string().min(1).max(300);
const place = z
  .union([
    z.strictObject({
      state: name.meta({
        description: "For machines and reconcilers: the path of the state at which the new execution starts.",
      }),
    }),
    z.strictObject({
      node: name.meta({ description: "For journeys: the name of the node at which the new execution starts." }),
    }),
  ])
  .meta({ id: "Place" });

export const restartBody = z
  .strictObject({
    from: place,
    variables: value.anyObject
      .optional()
      .meta({ description: "A JSON merge patch of the earlier execution's last variables." }),
    repeat: z
      .union([z.enum(["none", "all"]), z.array(name).min(1).max(DEFINITION_ACTIONS_MAX)])
      .optional()
      .meta({ description: "The completed actions to run again: none (default), all, or a list of action ids." }),
    version: z
      .int()
      .min(1)
      .optional()
      .meta({
        description: "A version of the earlier execution's definition. Default: the version of the earlier execution.",
      }),
    cancel: z.boolean().optional().meta({ description: "true: cancels the earlier execution first if it is live." }),
    reason: value.reason.optional(),
  })
  .meta({ id: "Restart", examples: [{ from: { state: "paid" }, repeat: ["notify"], reason: "wrong address" }] });
export type RestartBody = z.input<typeof restartBody>;

const madeEffect = z
  .object({
    run: z.string(),
    action: z.string(),
    key: z.string().meta({ description: "The idempotency key given to the provider." }),
    at: value.instant,
    result: value.anyJson,
    known: z.boolean().meta({ description: "false: it is unknown whether the action took effect." }),
    reused: z
      .boolean()
      .meta({ description: "true: if the new execution reaches this action, it uses the earlier result." }),
    because: z
      .enum(repeatReasons)
      .nullable()
      .meta({ description: "Why the new execution does not skip this action; null if it skips the action." }),
  })
  .meta({ id: "MadeEffect" });

export const restartedExecution = reply
  .extend({
    restartOf: z.object({ execution: executionIdText, from: place }),
    made: z
      .array(madeEffect)
      .meta({ description: `Actions completed by the earlier execution, the latest ${RESTART_RESULTS_LISTED_MAX}.` }),
    madeIsWhole: z
      .boolean()
      .meta({ description: "false: the earlier execution completed more actions than the list has." }),
  })
  .meta({ id: "Restarted" });
export type ApiRestarted = z.infer<typeof restartedExecution>;

type Restarted = {
  readonly reply: Reply;
  readonly of: string;
  readonly from: RestartPoint;
  readonly made: readonly ListedResult[];
  readonly isWhole: boolean;
};

export function presentRestarted({ reply: done, of, from, made, isWhole }: Restarted, dryRun: boolean): ApiRestarted {
  return {
    ...presentReply(done, dryRun),
    restartOf: { execution: of, from },
    made: made.slice(-RESTART_RESULTS_LISTED_MAX).map((each) => presentMade(of, each)),
    madeIsWhole: isWhole && made.length <= RESTART_RESULTS_LISTED_MAX,
  };
}

function presentMade(execution: string, made: ListedResult): ApiRestarted["made"][number] {
  const { run, action, at, isKnown: known, because } = made;
  const shown = redactOutcome({ result: made.result, events: made.events.map((each) => ({ ...each })) });
  const result = shown["result"] ?? null;
  return {
    run,
    action,
    key: `${execution}/${run}`,
    at: toInstant(at),
    result,
    known,
    reused: because === null,
    because,
  };
}
