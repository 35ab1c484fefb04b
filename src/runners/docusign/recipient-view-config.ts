// DocuSign signing page config: the schema of an embedded signing page: the recipient, the envelope, the authentication
// of the person, and the return URL.
import { z } from "zod";
import { oneLine } from "../core/mailbox.ts";
import { isLoopbackAddress } from "#schema/egress/address.ts";
import { email, clientUserId, personName } from "./people.ts";
import { positiveNumber, text } from "./docusign-text.ts";

/** DocuSign truncates longer URLs instead of refusing them. */
const RETURN_URL_LENGTH_MAX = 470;
const PING_S_MIN = 60;
const PING_S_MAX = 1_200;

/**
 * Returns true if the URL is a plain-HTTP loopback URL. Only local development allows such URLs; each attempt checks
 * that.
 */
export function isPlainLoopback(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  return protocol === "http:" && (host === "localhost" || isLoopbackAddress(host));
}

const page = z
  .string()
  .refine((url) => URL.canParse(url) && (url.startsWith("https://") || isPlainLoopback(url)), {
    message: "must be an https: address, such as https://app.example.com/signed",
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
    /** A connection by name. Default: the tenant's only DocuSign connection. */
    connection: z.string().min(1).optional(),
    envelopeId: z
      .string()
      .regex(/^[A-Za-z0-9-]{1,64}$/, { message: "must be the envelopeId from the result of an envelope action" }),
    /**
     * The person's clientUserId in the envelope. Without this id, DocuSign sends the person an e-mail and offers no
     * signing page.
     */
    clientUserId: clientUserId.refine((id) => id !== "", {
      message: "must be the person's clientUserId in the envelope",
    }),
    name: personName,
    email,
    recipientId: positiveNumber.optional(),
    returnUrl: page.refine((url) => url.length <= RETURN_URL_LENGTH_MAX, {
      message: `must have at most ${RETURN_URL_LENGTH_MAX} characters: DocuSign truncates longer values`,
    }),
    /** How the application authenticated the person. DocuSign's certificate of completion contains this text. */
    authenticationMethod: authenticationMethod.default("None"),
    authenticationInstant: z.iso.datetime({ offset: true }).optional(),
    assertionId: oneLine.min(1).max(100).optional(),
    securityDomain: oneLine.min(1).max(100).optional(),
    /** The pages that may show the signing page in a frame, and the pages that receive its messages. */
    frameAncestors: z.array(page).min(1).max(10).optional(),
    messageOrigins: z.array(page).min(1).max(10).optional(),
    /** DocuSign calls this URL while the person signs, so that the application's session does not expire. */
    pingUrl: page.optional(),
    pingFrequency: text
      .refine((seconds) => Number(seconds) >= PING_S_MIN && Number(seconds) <= PING_S_MAX, {
        message: `must be ${PING_S_MIN} to ${PING_S_MAX} seconds`,
      })
      .optional(),
  })
  .superRefine(({ pingUrl, pingFrequency, frameAncestors, messageOrigins }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (pingFrequency !== undefined && pingUrl === undefined)
      refuse("pingFrequency", "is only allowed together with pingUrl");
    if ((frameAncestors === undefined) !== (messageOrigins === undefined)) {
      const [here, missing] =
        frameAncestors === undefined ? ["messageOrigins", "frameAncestors"] : ["frameAncestors", "messageOrigins"];
      refuse(missing, `is missing: ${here} requires it`);
    }
  });
export type RecipientViewConfig = z.infer<typeof recipientViewConfig>;
