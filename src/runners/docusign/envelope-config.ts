// What a definition may say of a DocuSign envelope: the template, who stands in which of its roles, and what goes along.
import { z } from "zod";
import { jsonObject } from "#schema/json.ts";
import { mailbox, oneLine } from "../core/mailbox.ts";
import { scalar } from "../http/request.ts";

/** DocuSign's own limits for a custom field. */
const FIELD_NAME_LENGTH_MAX = 50;
const FIELD_VALUE_LENGTH_MAX = 100;
/** The engine's own fields: by the first, a callback finds its execution. */
export const EXECUTION_FIELD = "executionId";
export const KEY_FIELD = "idempotencyKey";

const email = z.string().refine((text) => !text.includes("<") && mailbox.safeParse(text).success, {
  message: "an e-mail address such as ada@example.com",
});
const roleName = oneLine.min(1).max(100);
const person = { name: oneLine.min(1).max(100), email };
/** DocuSign takes texts only; a rendered template may give a number. */
const text = scalar.transform(String);

const more = {
  routingOrder: text.optional(),
  /** What the person must type before they see anything. */
  accessCode: z.string().min(1).max(50).optional(),
  /** Set for people who sign inside your own pages; DocuSign then writes them no e-mail. */
  clientUserId: text.optional(),
  /** What stands in the template's fields, in DocuSign's own shape. */
  tabs: jsonObject.optional(),
};

const templateRole = z.strictObject({ roleName, ...person, ...more });
const recipient = z
  .strictObject({ role: roleName, ...person, ...more })
  .transform(({ role, ...rest }) => ({ roleName: role, ...rest }));

const fieldValue = text.refine((value) => value.length <= FIELD_VALUE_LENGTH_MAX, {
  message: `at most ${FIELD_VALUE_LENGTH_MAX} characters`,
});
const customFields = z.record(oneLine.min(1).max(FIELD_NAME_LENGTH_MAX), fieldValue);

/** DocuSign's own names, so that its documentation holds. */
const notification = z.strictObject({
  useAccountDefaults: text.optional(),
  reminders: z
    .strictObject({
      reminderEnabled: text.optional(),
      reminderDelay: text.optional(),
      reminderFrequency: text.optional(),
    })
    .optional(),
  expirations: z
    .strictObject({ expireEnabled: text.optional(), expireAfter: text.optional(), expireWarn: text.optional() })
    .optional(),
});

export const docusignEnvelopeConfig = z
  .strictObject({
    /** The tenant's account by name; without it, its only one. */
    connection: z.string().min(1).optional(),
    templateId: z.string().min(1).max(100),
    /** Two ways to write the same: who stands in which role of the template. */
    recipients: z.array(recipient).max(100).optional(),
    templateRoles: z.array(templateRole).max(100).optional(),
    customFields: customFields.optional(),
    emailSubject: oneLine.min(1).max(100).optional(),
    emailBlurb: z.string().min(1).max(10_000).optional(),
    /** created: a draft, which somebody sends later. */
    status: z.enum(["sent", "created"]).default("sent"),
    notification: notification.optional(),
  })
  .superRefine(({ recipients = [], templateRoles = [], customFields: fields = {} }, context) => {
    const refuse = (path: readonly string[], message: string) =>
      context.addIssue({ code: "custom", path: [...path], message });
    const names = [...recipients, ...templateRoles].map(nameOf);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined) refuse(["templateRoles"], `the role ${twice} is given twice`);
    if (Object.hasOwn(fields, KEY_FIELD)) refuse(["customFields", KEY_FIELD], "this field is written by the engine");
  });
export type DocusignEnvelopeConfig = z.infer<typeof docusignEnvelopeConfig>;

/** In a draft, where a template stands for an address, a recipient is checked before it has been turned into a role. */
function nameOf(role: { readonly roleName?: unknown; readonly role?: unknown }): string {
  return String(role.roleName ?? role.role).toLowerCase();
}
