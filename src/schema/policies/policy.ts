// Policies: rules of a tenant that the actions of all its definitions heed. The kind selects the fields.
import { z } from "zod";
import { actionType } from "../definition/action-type.ts";
import { window } from "../definition/window.ts";
import { isIdOf } from "../ids.ts";
import { DESCRIPTION_CHARS_MAX, ID_CHARS_MAX } from "../limits/api-requests.ts";
import { POLICY_TYPES_MAX } from "../limits/tenants/policies.ts";

const policyName = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[a-z][a-z0-9_-]*$/, {
    message: "must begin with a lower-case letter and contain only lower-case letters, digits, _ and -",
  })
  .refine((name) => !isIdOf("pol", name), { message: "must not begin with pol_, which is reserved for ids" })
  .describe("The policy's name, unique in the tenant.");

const noCalendars = {
  path: ["except"],
  message: "is not supported in a policy, because calendars belong to definitions",
};
const windowOfPolicy = window.refine(({ except }) => except === undefined, noCalendars);

export const quietHoursPolicy = z.strictObject({
  name: policyName,
  kind: z.literal("quiet_hours").describe("quiet_hours: actions are held outside the opening hours."),
  types: z
    .array(actionType)
    .min(1)
    .max(POLICY_TYPES_MAX)
    .describe("The action types that the policy applies to, such as email, sms and push."),
  window: windowOfPolicy.describe(
    "The opening hours. Outside of them the actions are held. `timezone` is a zone or a rule over the execution's variables. Default: the execution's time zone.",
  ),
  description: z.string().max(DESCRIPTION_CHARS_MAX).optional().describe("A description for people."),
});

export const policy = z.discriminatedUnion("kind", [quietHoursPolicy]);
export type Policy = z.infer<typeof policy>;

/** A policy of quiet hours as attempts receive it. `updatedAt` distinguishes its versions. */
export const quietHours = z.object({ name: z.string(), updatedAt: z.number(), window });
export type QuietHours = z.infer<typeof quietHours>;

/** A policy as an isolate caches it with the tenant's settings. */
export type TenantPolicy = QuietHours & Pick<Policy, "kind" | "types">;

/** An opening of several policies together, which ends at `until` (epoch ms). `policies` identifies their versions. */
export type QuietHoursPass = { readonly policies: string; readonly until: number };

export function versionsOf(policies: readonly Pick<QuietHours, "name" | "updatedAt">[]): string {
  return policies.map(({ name, updatedAt }) => `${name}@${updatedAt}`).join(",");
}
