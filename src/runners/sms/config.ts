// What a definition may say of a text message: by SMS, with pictures as MMS, or through WhatsApp. What Twilio would
// refuse, or leave out without a word, is refused here.
import { z } from "zod";
import { absoluteUrl, scalar } from "../http/request.ts";

/** Twilio's own limits. */
const MESSAGE_LENGTH_MAX = 1_600;
const MEDIA_MAX = 10;
const VALIDITY_S_MAX = 36_000;

const E164 = /^\+[1-9]\d{6,14}$/;
const e164 = z
  .string()
  .regex(E164, {
    message: 'a number in E.164 form such as +14155550123, without a prefix: for WhatsApp set channel to "whatsapp"',
  });
/** A number, a short code, or up to eleven letters and digits with a letter among them. */
const sender = z
  .string()
  .regex(/^(?:\+[1-9]\d{6,14}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/, {
    message: "a number in E.164 form, a short code, or a sender's name of at most 11 letters and digits",
  });
const sidOf = (letters: string) =>
  z.string().regex(new RegExp(`^${letters}[0-9a-fA-F]{32}$`), { message: `${letters} and 32 hexadecimal digits` });

const mediaUrl = absoluteUrl.refine((url) => url.startsWith("https://"), {
  message: "an https: URL that Twilio can fetch",
});
const variable = scalar.transform(String).pipe(
  z
    .string()
    .max(MESSAGE_LENGTH_MAX)
    .refine((text) => text.trim() !== "", {
      message: "a value that is not empty; leave the variable out to get the template's own",
    }),
);

export const smsConfig = z
  .strictObject({
    provider: z.literal("twilio").default("twilio"),
    /** The tenant's account by name; without it, its only one at the provider. */
    connection: z.string().min(1).optional(),
    channel: z.enum(["sms", "whatsapp"]).default("sms"),
    to: e164,
    /** Without either, the connection's own; with both, this one of the service's senders. */
    from: sender.optional(),
    messagingServiceSid: sidOf("MG").optional(),
    message: z.string().min(1).max(MESSAGE_LENGTH_MAX).optional(),
    mediaUrls: z.array(mediaUrl).min(1).max(MEDIA_MAX).optional(),
    /** A content template at Twilio, and what stands in its places. */
    contentSid: sidOf("HX").optional(),
    contentVariables: z.record(z.string().min(1), variable).optional(),
    /** When Twilio is to send it; that it is in Twilio's window is seen when the action is carried out. */
    sendAt: z.iso.datetime({ offset: true }).optional(),
    /** Seconds it may wait at Twilio before it is worth nothing. */
    validityPeriod: z.number().int().min(1).max(VALIDITY_S_MAX).optional(),
    shortenUrls: z.boolean().optional(),
    /** Where Twilio tells what became of the message. */
    statusCallback: absoluteUrl.optional(),
  })
  .superRefine((config, context) => {
    const refuse = (message: string, ...path: (string | number)[]) =>
      context.addIssue({ code: "custom", path, message });
    refuseContents(config, refuse);
    refuseSenders(config, refuse);
    if (config.channel === "whatsapp") refuseForWhatsapp(config, refuse);
  });
export type SmsConfig = z.infer<typeof smsConfig>;

/** What is checked of a config stands in a draft, too, where a template may be in any place. */
type Checked = Omit<SmsConfig, "contentVariables"> & { readonly contentVariables?: object | undefined };
type Refuse = (message: string, ...path: (string | number)[]) => void;

function refuseContents({ message, mediaUrls, contentSid, contentVariables }: Checked, refuse: Refuse): void {
  if (message === undefined && mediaUrls === undefined && contentSid === undefined)
    refuse("a message, mediaUrls or a contentSid", "message");
  // Said of the field that is there as it will be: the other one may be a template still.
  if (contentSid !== undefined && (message !== undefined || mediaUrls !== undefined))
    refuse("brings its own contents: leave out message and mediaUrls", "contentSid");
  if (contentSid === undefined && contentVariables !== undefined)
    refuse("belong to a content template: give its contentSid, or write the words into message", "contentVariables");
}

function refuseSenders({ from, messagingServiceSid, mediaUrls, sendAt, shortenUrls }: Checked, refuse: Refuse): void {
  const isNamed = from !== undefined && !/^[+\d]/.test(from) && !from.includes("{");
  if (isNamed && mediaUrls !== undefined) refuse("a sender's name carries no media: send from a number", "from");
  if (from === undefined || messagingServiceSid !== undefined) return;
  // Twilio would leave out what it cannot do, and send at once.
  const needy = sendAt !== undefined ? "sendAt" : shortenUrls === true ? "shortenUrls" : null;
  if (needy !== null)
    refuse(`${needy} needs a Messaging Service: give one besides from, or instead`, "messagingServiceSid");
}

function refuseForWhatsapp({ from, mediaUrls, contentVariables }: Checked, refuse: Refuse): void {
  if (from !== undefined && !E164.test(from)) refuse("on WhatsApp a number in E.164 form", "from");
  // It would leave out the others without a word.
  if (mediaUrls !== undefined && mediaUrls.length > 1) refuse("WhatsApp takes one file a message", "mediaUrls", 1);
  for (const [name, value] of Object.entries(contentVariables ?? {})) {
    if (/[\n\r\t]| {5}/.test(String(value)))
      refuse("WhatsApp's templates take no line break, no tab and no five spaces in a row", "contentVariables", name);
  }
}
