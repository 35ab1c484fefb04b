// What a definition may say of a signing page inside somebody's own application: whose it is, in which envelope, how the
// application knows the person, and where they go afterwards.
import { z } from "zod";
import { oneLine } from "../core/mailbox.ts";
import { isLoopbackAddress } from "#schema/egress/address.ts";
import { email, clientUserId, personName } from "./people.ts";
import { number, text } from "./words.ts";

/** DocuSign cuts off what is longer, and sends people to the rest. */
const RETURN_URL_LENGTH_MAX = 470;
const PING_S_MIN = 60;
const PING_S_MAX = 1_200;

/** Loopback is for local work; whether this is local work, the attempt knows. */
export function isPlainLoopback(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  return protocol === "http:" && (host === "localhost" || isLoopbackAddress(host));
}

const page = z
  .string()
  .refine((url) => URL.canParse(url) && (url.startsWith("https://") || isPlainLoopback(url)), {
    message: "an https: address, such as https://app.example.com/signed",
  });

const authenticationMethod = z.enum([
  "None",
  "Biometric",
  "Email",
  "HTTPBasicAuth",
  "Kerberos",
  "KnowledgeBasedAuth",
  "PaperDocuments",
  "Password",
  "RSASecureID",
  "SingleSignOn_CASiteminder",
  "SingleSignOn_InfoCard",
  "SingleSignOn_MicrosoftActiveDirectory",
  "SingleSignOn_Other",
  "SingleSignOn_Passport",
  "SingleSignOn_SAML",
  "Smartcard",
  "SSLMutualAuth",
  "X509Certificate",
]);

export const recipientViewConfig = z
  .strictObject({
    /** The tenant's account by name; without it, its only one. */
    connection: z.string().min(1).optional(),
    envelopeId: z.string().regex(/^[A-Za-z0-9-]{1,64}$/, { message: "the envelopeId of an envelope's result" }),
    /** As the person stands in the envelope; without it DocuSign writes them an e-mail and gives no page. */
    clientUserId: clientUserId.refine((id) => id !== "", {
      message: "the clientUserId that the envelope gives the person",
    }),
    name: personName,
    email,
    recipientId: number.optional(),
    returnUrl: page.refine((url) => url.length <= RETURN_URL_LENGTH_MAX, {
      message: `at most ${RETURN_URL_LENGTH_MAX} characters: DocuSign cuts off the rest`,
    }),
    /** How the application has made sure who the person is; it stands in the certificate. */
    authenticationMethod: authenticationMethod.default("None"),
    authenticationInstant: z.iso.datetime({ offset: true }).optional(),
    assertionId: oneLine.min(1).max(100).optional(),
    securityDomain: oneLine.min(1).max(100).optional(),
    /** Which pages may hold the signing page in a frame, and hear of it. */
    frameAncestors: z.array(page).min(1).max(10).optional(),
    messageOrigins: z.array(page).min(1).max(10).optional(),
    /** Asked by DocuSign now and then while the person signs, so that the application's session does not end. */
    pingUrl: page.optional(),
    pingFrequency: text
      .refine((seconds) => Number(seconds) >= PING_S_MIN && Number(seconds) <= PING_S_MAX, {
        message: `${PING_S_MIN} to ${PING_S_MAX} seconds`,
      })
      .optional(),
  })
  .superRefine(({ pingUrl, pingFrequency, frameAncestors, messageOrigins }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (pingFrequency !== undefined && pingUrl === undefined) refuse("pingFrequency", "goes with pingUrl");
    if ((frameAncestors === undefined) !== (messageOrigins === undefined)) {
      const [here, missing] =
        frameAncestors === undefined ? ["messageOrigins", "frameAncestors"] : ["frameAncestors", "messageOrigins"];
      refuse(missing, `is missing: ${here} goes with it`);
    }
  });
export type RecipientViewConfig = z.infer<typeof recipientViewConfig>;
