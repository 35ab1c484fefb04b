// DocuSign envelope config: the schema of an envelope, made from a template with its roles, from documents with their
// signers, or from both combined.
import { z } from "zod";
import { oneLine } from "../core/mailbox.ts";
import { compositeTemplates, documents } from "./documents.ts";
import { envelopeRefusals } from "./envelope-refusals.ts";
import { carbonCopies, email, recipient, signers, templateRole } from "./people.ts";
import { flag, text } from "./docusign-text.ts";

/** DocuSign's limits: the length of a custom field, and the number of blind-copy addresses per envelope. */
const FIELD_NAME_LENGTH_MAX = 50;
const FIELD_VALUE_LENGTH_MAX = 100;
const BLIND_COPIES_MAX = 5;
/** The custom fields that the engine sets. The field executionId leads from a callback to its execution. */
export const EXECUTION_FIELD = "executionId";
export const KEY_FIELD = "idempotencyKey";

const fieldValue = text.refine((value) => value.length <= FIELD_VALUE_LENGTH_MAX, {
  message: `must have at most ${FIELD_VALUE_LENGTH_MAX} characters`,
});
const customFields = z.record(oneLine.min(1).max(FIELD_NAME_LENGTH_MAX), fieldValue);

/** Uses DocuSign's field names, so that DocuSign's documentation applies. */
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
const emailSettings = z.strictObject({
  replyEmailAddressOverride: email.optional(),
  replyEmailNameOverride: oneLine.min(1).max(100).optional(),
  bccEmailAddresses: z.array(z.strictObject({ email })).max(BLIND_COPIES_MAX).optional(),
});

/**
 * The callbacks about recipients that become events. A definition selects each one separately, because each causes an
 * HTTP call.
 */
const recipientEvents = z.array(z.enum(["sent", "delivered", "completed", "declined", "autoresponded"])).max(5);

export const docusignEnvelopeConfig = z
  .strictObject({
    /** A connection by name. Default: the tenant's only DocuSign connection. */
    connection: z.string().min(1).optional(),
    templateId: z.string().min(1).max(100).optional(),
    /**
     * The people for the template's roles: `recipients` in this project's form, or `templateRoles` in DocuSign's form.
     */
    recipients: z.array(recipient).max(100).optional(),
    templateRoles: z.array(templateRole).max(100).optional(),
    documents: documents.optional(),
    /** The people who sign the documents or receive a copy. */
    signers: signers.optional(),
    carbonCopies: carbonCopies.optional(),
    compositeTemplates: compositeTemplates.optional(),
    customFields: customFields.optional(),
    emailSubject: oneLine.min(1).max(100).optional(),
    emailBlurb: z.string().min(1).max(10_000).optional(),
    emailSettings: emailSettings.optional(),
    brandId: z.string().min(1).max(100).optional(),
    /** True: a recipient may let another person sign instead. */
    allowReassign: flag.optional(),
    /** created: the envelope is a draft, which a person sends later. */
    status: z.enum(["sent", "created"]).default("sent"),
    notification: notification.optional(),
    recipientEvents: recipientEvents.optional(),
  })
  .superRefine((config, context) => {
    for (const { path, message } of envelopeRefusals(config)) {
      context.addIssue({ code: "custom", path: [...path], message });
    }
    if (Object.hasOwn(config.customFields ?? {}, KEY_FIELD)) {
      const message = "must be absent, because the engine sets this field";
      context.addIssue({ code: "custom", path: ["customFields", KEY_FIELD], message });
    }
  });
export type DocusignEnvelopeConfig = z.infer<typeof docusignEnvelopeConfig>;
