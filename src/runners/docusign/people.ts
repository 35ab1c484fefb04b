// DocuSign recipients: schemas of people in a template's roles, and of people who sign the tenant's own documents or
// receive a copy.
import { z } from "zod";
import { jsonObject } from "#schema/json.ts";
import { oneLine, parseMailbox } from "../core/mailbox.ts";
import { tabs } from "./tabs.ts";
import { positiveNumber, text } from "./docusign-text.ts";

/** DocuSign's limit for the ids of embedded signers. */
const CLIENT_USER_ID_LENGTH_MAX = 100;

/** An e-mail address with its domain in Punycode, so that two spellings of an address compare as equal. */
export const email = z
  .string()
  .refine((address) => !address.includes("<") && parseMailbox(address) !== null, {
    message: "must be an e-mail address such as ada@example.com",
  })
  .overwrite((address) => parseMailbox(address)?.email ?? address);
export const personName = oneLine.min(1).max(100);
const roleName = oneLine.min(1).max(100);
const person = { name: personName, email };

/**
 * The id of an embedded signer, who signs inside the application's pages. DocuSign sends no e-mail to a recipient with
 * this id.
 */
export const clientUserId = text.refine((id) => id.length <= CLIENT_USER_ID_LENGTH_MAX, {
  message: `must have at most ${CLIENT_USER_ID_LENGTH_MAX} characters`,
});

const emailNotification = z.strictObject({
  emailSubject: oneLine.min(1).max(100).optional(),
  emailBody: z.string().min(1).max(10_000).optional(),
  /** The language of DocuSign's e-mail, such as de or pt_BR. */
  supportedLanguage: z
    .string()
    .regex(/^[a-z]{2}(?:_[A-Z]{2})?$/, { message: "must be a language such as de or pt_BR" })
    .optional(),
});

const deliveryFields = {
  routingOrder: text.optional(),
  /** The code that the person must type before reading the document. */
  accessCode: z.string().min(1).max(50).optional(),
  clientUserId: clientUserId.optional(),
  emailNotification: emailNotification.optional(),
};

/** Values of the template's tabs, in DocuSign's format. */
const tabValueFields = { tabs: jsonObject.optional() };

export const templateRole = z.strictObject({ roleName, ...person, ...deliveryFields, ...tabValueFields });
export const recipient = z
  .strictObject({ role: roleName, ...person, ...deliveryFields, ...tabValueFields })
  .transform(({ role, ...rest }) => ({ roleName: role, ...rest }));

const ownRecipientFields = {
  /** The recipient's id in tabs and callbacks. Default: a number from 1. */
  recipientId: positiveNumber.optional(),
  ...person,
  ...deliveryFields,
  routingOrder: positiveNumber.optional(),
  /** The recipient's role, if a template of the account is part of the envelope. */
  roleName: roleName.optional(),
  note: z.string().min(1).max(1_000).optional(),
};

export const signer = z.strictObject({ ...ownRecipientFields, tabs: tabs.optional() });
export const carbonCopy = z.strictObject(ownRecipientFields);
export type Signer = z.infer<typeof signer>;
export type CarbonCopy = z.infer<typeof carbonCopy>;

export const signers = z.array(signer).max(100);
export const carbonCopies = z.array(carbonCopy).max(100);
