// DocuSign recipients: people in a template's roles, and people who sign the tenant's own documents or get a copy.
import { z } from "zod";
import { jsonObject } from "#schema/json.ts";
import { oneLine, parseMailbox } from "../core/mailbox.ts";
import { tabs } from "./tabs.ts";
import { number, text } from "./docusign-text.ts";

/** DocuSign's own limit for embedded signers. */
const CLIENT_USER_ID_LENGTH_MAX = 100;

/** As mail servers write it, so that one person has one spelling of the domain. */
export const email = z
  .string()
  .refine((written) => !written.includes("<") && parseMailbox(written) !== null, {
    message: "must be an e-mail address such as ada@example.com",
  })
  .overwrite((written) => parseMailbox(written)?.email ?? written);
export const personName = oneLine.min(1).max(100);
const roleName = oneLine.min(1).max(100);
const person = { name: personName, email };

/** Set for embedded signers, inside your own pages; DocuSign then sends them no e-mail. */
export const clientUserId = text.refine((id) => id.length <= CLIENT_USER_ID_LENGTH_MAX, {
  message: `must have at most ${CLIENT_USER_ID_LENGTH_MAX} characters`,
});

const emailNotification = z.strictObject({
  emailSubject: oneLine.min(1).max(100).optional(),
  emailBody: z.string().min(1).max(10_000).optional(),
  /** A language that DocuSign supports, such as de or pt_BR. */
  supportedLanguage: z
    .string()
    .regex(/^[a-z]{2}(?:_[A-Z]{2})?$/, { message: "must be a language such as de or pt_BR" })
    .optional(),
});

const more = {
  routingOrder: text.optional(),
  /** What the person must type before they can read the document. */
  accessCode: z.string().min(1).max(50).optional(),
  clientUserId: clientUserId.optional(),
  emailNotification: emailNotification.optional(),
};

/** Values of the template's fields, in DocuSign's own format. */
const filled = { tabs: jsonObject.optional() };

export const templateRole = z.strictObject({ roleName, ...person, ...more, ...filled });
export const recipient = z
  .strictObject({ role: roleName, ...person, ...more, ...filled })
  .transform(({ role, ...rest }) => ({ roleName: role, ...rest }));

const own = {
  /** The recipient's id in tabs and callbacks; numbered from 1 by default. */
  recipientId: number.optional(),
  ...person,
  ...more,
  routingOrder: number.optional(),
  /** With a template of the account: the recipient's role in it. */
  roleName: roleName.optional(),
  note: z.string().min(1).max(1_000).optional(),
};

export const signer = z.strictObject({ ...own, tabs: tabs.optional() });
export const carbonCopy = z.strictObject(own);
export type Signer = z.infer<typeof signer>;
export type CarbonCopy = z.infer<typeof carbonCopy>;

export const signers = z.array(signer).max(100);
export const carbonCopies = z.array(carbonCopy).max(100);
