// Policies: API shapes of rules that all of a tenant's actions heed.
import { z } from "zod";
import { quietHoursPolicy } from "#schema/policies/policy.ts";
import { instant } from "#schema/values.ts";
import { putAnswer, putBody } from "../configuration/shape.ts";

export const policyRefText = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: "A policy's name or id.", examples: ["night"] });

export const putPolicyBody = putBody("PutPolicy", "Policy", {
  kind: "quiet_hours",
  types: ["email", "sms", "push"],
  window: { days: "MON-SAT", from: "08:00", to: "21:00", timezone: { var: "execution.variables.timezone" } },
});

export const policyView = z
  .object({ ...quietHoursPolicy.shape, id: z.string(), createdAt: instant, updatedAt: instant })
  .meta({ id: "Policy" });
export type ApiPolicy = z.infer<typeof policyView>;

export const putPolicyView = putAnswer(policyView, "PutPolicyAnswer");
export type ApiPutPolicy = z.infer<typeof putPolicyView>;
