// Text message config: the schema of an SMS, MMS or WhatsApp message. It refuses what Twilio would refuse or silently
// ignore.
import { z } from "zod";
import { absoluteUrl, scalar } from "../http/request.ts";

/** Twilio's limits. */
const MESSAGE_LENGTH_MAX = 1_600;
const MEDIA_MAX = 10;
const VALIDITY_S_MAX = 36_000;

const E164 = /^\+[1-9]\d{6,14}$/;
const e164 = z
  .string()
  .regex(E164, {
    message:
      'must be a number in E.164 form such as +14155550123, without a prefix: for WhatsApp set channel to "whatsapp"',
  });
/** A phone number, a short code, or a sender's name of up to eleven letters and digits. */
const sender = z
  .string()
  .regex(/^(?:\+[1-9]\d{6,14}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/, {
    message: "must be a number in E.164 form, a short code, or a sender's name of at most 11 letters and digits",
  });
const sidOf = (letters: string) =>
  z
    .string()
    .regex(new RegExp(`^${letters}[0-9a-fA-F]{32}$`), { message: `must be ${letters} and 32 hexadecimal digits` });

const mediaUrl = absoluteUrl.refine((url) => url.startsWith("https://"), {
  message: "must be an https: URL that Twilio can fetch",
});
const variable = scalar.transform(String).pipe(
  z
    .string()
    .max(MESSAGE_LENGTH_MAX)
    .refine((text) => text.trim() !== "", {
      message: "must not be empty; remove the variable to use the template's default value",
    }),
);

export const smsConfig = z
  .strictObject({
    provider: z.literal("twilio").default("twilio"),
    /** The name of a connection. Default: the tenant's only connection for the provider. */
    connection: z.string().min(1).optional(),
    channel: z.enum(["sms", "whatsapp"]).default("sms"),
    to: e164.optional(),
    /** An alternative name of the field `to`. */
    phoneNumber: e164.optional(),
    /**
     * The sender. Default: the connection's sender. With a messagingServiceSid, it is one of the messaging service's
     * senders.
     */
    from: sender.optional(),
    messagingServiceSid: sidOf("MG").optional(),
    message: z.string().min(1).max(MESSAGE_LENGTH_MAX).optional(),
    mediaUrls: z.array(mediaUrl).min(1).max(MEDIA_MAX).optional(),
    /** The id of a content template at Twilio, and its variables. */
    contentSid: sidOf("HX").optional(),
    contentVariables: z.record(z.string().min(1), variable).optional(),
    /** When Twilio sends the message. The attempt checks Twilio's limits. */
    sendAt: z.iso.datetime({ offset: true }).optional(),
    /** How many seconds the message may wait at Twilio before it expires. */
    validityPeriod: z.number().int().min(1).max(VALIDITY_S_MAX).optional(),
    shortenUrls: z.boolean().optional(),
    /** The URL to which Twilio reports the delivery. */
    statusCallback: absoluteUrl.optional(),
    /** False: also send to numbers that have unsubscribed or were suppressed manually. Default: true. */
    heedSuppressions: z.boolean().optional(),
  })
  .superRefine((config, context) => {
    const refuse = (message: string, ...path: (string | number)[]) =>
      context.addIssue({ code: "custom", path, message });
    const { to, phoneNumber } = config;
    if (to === undefined && phoneNumber === undefined) refuse("is missing: set the number of the recipient", "to");
    if (to !== undefined && phoneNumber !== undefined)
      refuse("has the same meaning as to: set only one of the two fields", "phoneNumber");
    refuseContents(config, refuse);
    refuseSenders(config, refuse);
    if (config.channel === "whatsapp") refuseForWhatsapp(config, refuse);
  })
  .transform(({ to, phoneNumber, ...config }) => ({ ...config, to: to ?? phoneNumber ?? "" }));
export type SmsConfig = z.infer<typeof smsConfig>;

/** A config, or a draft in which any field may be a template. */
type Checked = Omit<SmsConfig, "to" | "contentVariables"> & { readonly contentVariables?: object | undefined };
type Refuse = (message: string, ...path: (string | number)[]) => void;

function refuseContents({ message, mediaUrls, contentSid, contentVariables }: Checked, refuse: Refuse): void {
  if (message === undefined && mediaUrls === undefined && contentSid === undefined)
    refuse('is missing: set "message", "mediaUrls" or "contentSid"', "message");
  // The finding points to contentSid, because in a draft the conflicting field may be a template.
  if (contentSid !== undefined && (message !== undefined || mediaUrls !== undefined))
    refuse('has its own content: remove "message" and "mediaUrls"', "contentSid");
  if (contentSid === undefined && contentVariables !== undefined)
    refuse("require a content template: set its contentSid, or write the text into message", "contentVariables");
}

function refuseSenders({ from, messagingServiceSid, mediaUrls, sendAt, shortenUrls }: Checked, refuse: Refuse): void {
  const isSenderName = from !== undefined && !/^[+\d]/.test(from) && !from.includes("{");
  if (isSenderName && mediaUrls !== undefined) refuse("a sender's name cannot send media: use a number", "from");
  if (from === undefined || messagingServiceSid !== undefined) return;
  // Without a messagingServiceSid, Twilio would silently ignore sendAt and shortenUrls, and send immediately.
  const fieldNeedingService = sendAt !== undefined ? "sendAt" : shortenUrls === true ? "shortenUrls" : null;
  if (fieldNeedingService !== null)
    refuse(`${fieldNeedingService} requires a Messaging Service: set messagingServiceSid`, "messagingServiceSid");
}

function refuseForWhatsapp({ from, mediaUrls, contentVariables }: Checked, refuse: Refuse): void {
  if (from !== undefined && !E164.test(from)) refuse("on WhatsApp, must be a number in E.164 form", "from");
  // With WhatsApp, Twilio would silently ignore all files but the first.
  if (mediaUrls !== undefined && mediaUrls.length > 1) refuse("WhatsApp accepts one file per message", "mediaUrls", 1);
  for (const [name, value] of Object.entries(contentVariables ?? {})) {
    if (/[\n\r\t]| {5}/.test(String(value)))
      refuse(
        "WhatsApp's templates must not contain a line break, a tab or five spaces in a row",
        "contentVariables",
        name,
      );
  }
}
