// Alert channels: API shapes. A config contains the names of secrets, never their values.
import { z } from "zod";
import { alertChannel } from "#schema/alert.ts";
import { executionStatuses } from "#schema/engine/state.ts";
import { putAnswer, putBody } from "../configuration/shape.ts";
import { anyObject, instant } from "#schema/values.ts";

export const createAlertChannelBody = alertChannel.meta({
  id: "CreateAlertChannel",
  examples: [
    {
      name: "on-call",
      channel: { kind: "slack", config: { connection: "slack-ops", channel: "#on-call" } },
      severities: ["critical", "high"],
      throttle: "PT5M",
    },
  ],
});
export type CreateAlertChannelBody = z.input<typeof alertChannel>;

/** A JSON merge patch of an alert channel. The use case checks the merged channel like a new channel. */
export const patchAlertChannelBody = anyObject.meta({
  id: "PatchAlertChannel",
  description: "A JSON merge patch (RFC 7396) of the stored settings; null removes a field or restores its default.",
  examples: [{ severities: ["critical"], throttle: "PT15M" }],
});

export const alertChannelView = z
  .object({ ...alertChannel.shape, id: z.string(), createdAt: instant, updatedAt: instant })
  .meta({ id: "AlertChannel" });
export type ApiAlertChannel = z.infer<typeof alertChannelView>;

export const putAlertChannelBody = putBody("PutAlertChannel", "CreateAlertChannel", {
  channel: { kind: "slack", config: { connection: "slack-ops", channel: "#on-call" } },
  severities: ["critical"],
});
export const putAlertChannelView = putAnswer(alertChannelView, "PutAlertChannelAnswer");
export type ApiPutAlertChannel = z.infer<typeof putAlertChannelView>;

export const alertChannelRefText = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: "An alert channel's name or id.", examples: ["on-call"] });

export const testedAlertChannel = z
  .object({
    action: z.string().meta({ description: "The action that sends the alert: see /v1/actions/{id}." }),
    status: z.enum(executionStatuses).meta({ description: "The status of the alert's execution when it was started." }),
    repeated: z
      .boolean()
      .meta({ description: "true: the Idempotency-Key was used before, and the engine did nothing again." }),
    dryRun: z.boolean(),
  })
  .meta({ id: "TestedAlertChannel" });
export type ApiTestedAlertChannel = z.infer<typeof testedAlertChannel>;
