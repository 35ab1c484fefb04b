// The people of an envelope: who stands in which role of a template, and who signs the tenant's own documents or gets a
// copy of them.
import { z } from "zod";
import { jsonObject } from "#schema/json.ts";
import { oneLine, parseMailbox } from "../core/mailbox.ts";
import { tabs } from "./tabs.ts";
import { number, text } from "./words.ts";

/** DocuSign's own limit for whom it does not write to. */
const CLIENT_USER_ID_LENGTH_MAX = 100;

/** As mail servers write it, so that one person is the same however the domain is spelled. */
export const email = z
  .string()
  .refine((written) => !written.includes("<") && parseMailbox(written) !== null, {
    message: "an e-mail address such as ada@example.com",
  })
  .overwrite((written) => parseMailbox(written)?.email ?? written);
export const personName = oneLine.min(1).max(100);
const roleName = oneLine.min(1).max(100);
const person = { name: personName, email };

/** Set for people who sign inside your own pages; DocuSign then writes them no e-mail. */
export const clientUserId = text.refine((id) => id.length <= CLIENT_USER_ID_LENGTH_MAX, {
  message: `at most ${CLIENT_USER_ID_LENGTH_MAX} characters`,
});

const emailNotification = z.strictObject({
  emailSubject: oneLine.min(1).max(100).optional(),
  emailBody: z.string().min(1).max(10_000).optional(),
  /** A language DocuSign knows, such as de or pt_BR. */
  supportedLanguage: z
    .string()
    .regex(/^[a-z]{2}(?:_[A-Z]{2})?$/, { message: "a language such as de or pt_BR" })
    .optional(),
});

const more = {
  routingOrder: text.optional(),
  /** What the person must type before they see anything. */
  accessCode: z.string().min(1).max(50).optional(),
  clientUserId: clientUserId.optional(),
  emailNotification: emailNotification.optional(),
};

/** What stands in the template's fields, in DocuSign's own shape. */
const filled = { tabs: jsonObject.optional() };

export const templateRole = z.strictObject({ roleName, ...person, ...more, ...filled });
export const recipient = z
  .strictObject({ role: roleName, ...person, ...more, ...filled })
  .transform(({ role, ...rest }) => ({ roleName: role, ...rest }));

const own = {
  /** How tabs and callbacks call the person; counted from 1 where it is left out. */
  recipientId: number.optional(),
  ...person,
  ...more,
  routingOrder: number.optional(),
  /** Beside a template of the account: the role in it that the person takes. */
  roleName: roleName.optional(),
  note: z.string().min(1).max(1_000).optional(),
};

export const signer = z.strictObject({ ...own, tabs: tabs.optional() });
export const carbonCopy = z.strictObject(own);
export type Signer = z.infer<typeof signer>;
export type CarbonCopy = z.infer<typeof carbonCopy>;

export const signers = z.array(signer).max(100);
export const carbonCopies = z.array(carbonCopy).max(100);
