// Verbs for one run, node or timer of an execution: API shapes of the request bodies.
import { z } from "zod";
import * as value from "#schema/values.ts";

const name = z.string().min(1).max(300);
const run = name.meta({ description: "A run's id.", examples: ["3.0"] });
const node = name.meta({ description: "A node of a journey." });
const reason = value.reason.optional();

function oneOf(...names: readonly string[]) {
  return {
    check: (body: { readonly [field: string]: unknown }) =>
      names.filter((field) => body[field] !== undefined).length === 1,
    message: `must name exactly one of ${names.join(" and ")}`,
  };
}

const atMostOne = {
  check: (body: { readonly [field: string]: unknown }) => body["run"] === undefined || body["action"] === undefined,
  message: "must not name both run and action",
};
const runOrNode = oneOf("run", "node");
const runOrTimer = oneOf("run", "timer");

export const skipBody = z
  .strictObject({
    run: run.optional(),
    node: node.optional(),
    result: value.anyJson
      .optional()
      .meta({
        description:
          "The result of the run or node. With a result, the run or node counts as done; without a result, as skipped.",
      }),
    reason,
  })
  .refine(runOrNode.check, runOrNode.message)
  .meta({ id: "Skip", examples: [{ run: "3.0", result: { sid: "by-telephone" }, reason: "told on the telephone" }] });
export type SkipBody = z.input<typeof skipBody>;

export const cancelActionBody = z
  .strictObject({
    run: run.optional(),
    action: name
      .optional()
      .meta({ description: "The id of an action, or a node of a journey, with one run that has not ended." }),
    result: value.anyJson
      .optional()
      .meta({
        description:
          "The result of the action. With a result, the action counts as done; without a result, as skipped.",
      }),
    reason,
  })
  .refine(atMostOne.check, atMostOne.message)
  .meta({ id: "CancelAction", examples: [{ run: "3.0", reason: "the provider does not respond" }] });
export type CancelActionBody = z.input<typeof cancelActionBody>;

export const rescheduleBody = z
  .strictObject({
    run: run.optional(),
    timer: name.optional(),
    at: z.iso
      .datetime({ offset: true })
      .meta({
        description: "The new instant, which must be in the future. To start the run or timer now, use run-now.",
      }),
    reason,
  })
  .refine(runOrTimer.check, runOrTimer.message)
  .meta({ id: "Reschedule", examples: [{ timer: "notice/after/endOfNotice", at: "2027-06-30T07:00:00Z" }] });
export type RescheduleBody = z.input<typeof rescheduleBody>;

export const holdBody = z
  .strictObject({ run, reason })
  .meta({ id: "HoldRun", examples: [{ run: "3.0", reason: "the price is wrong" }] });
export type HoldBody = z.input<typeof holdBody>;

export const completeBody = z
  .strictObject({
    run: run.optional(),
    node: node.optional(),
    as: name
      .optional()
      .meta({
        description:
          "How to continue: an event's type, `for/<n>`, `timeout` or `until`. For a branch or split that is not reached: `cases/<n>`, `ways/<n>` or the next node. May be omitted if there is only one possibility.",
        examples: ["contract.signed"],
      }),
    payload: value.anyJson.optional().meta({ description: "The payload of the event; for a task, its result." }),
    reason,
  })
  .refine(runOrNode.check, runOrNode.message)
  .meta({ id: "CompleteWait", examples: [{ node: "signature", as: "contract.signed", reason: "came by post" }] });
export type CompleteBody = z.input<typeof completeBody>;
