// Alert channels on the wire. Configs name secrets, in and out.
import { z } from "zod";
import { alertChannel } from "#schema/alert.ts";
import { executionStatuses } from "#schema/engine/state.ts";
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

/** What it comes to is checked by the use case, like a new one. */
export const patchAlertChannelBody = anyObject.meta({
  id: "PatchAlertChannel",
  description: "Merged over what is stored (RFC 7396); null removes a field, or puts its default back.",
  examples: [{ severities: ["critical"], throttle: "PT15M" }],
});

export const alertChannelView = z
  .object({ ...alertChannel.shape, id: z.string(), createdAt: instant, updatedAt: instant })
  .meta({ id: "AlertChannel" });
export type ApiAlertChannel = z.infer<typeof alertChannelView>;

export const testedAlertChannel = z
  .object({
    action: z.string().meta({ description: "The action that sends it: look at it under /v1/actions/{id}." }),
    status: z.enum(executionStatuses).meta({ description: "Of the action's execution, as it was started." }),
    repeated: z.boolean().meta({ description: "It was asked for before with this Idempotency-Key." }),
    dryRun: z.boolean(),
  })
  .meta({ id: "TestedAlertChannel" });
export type ApiTestedAlertChannel = z.infer<typeof testedAlertChannel>;
