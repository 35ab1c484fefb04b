// All verification schemes, by name.
import type { Verification, SchemeName } from "#schema/inbound/verification.ts";
import type { SignatureClaim, HookRequest, Scheme } from "./scheme.ts";
import { docusign } from "./schemes/docusign.ts";
import { github } from "./schemes/github.ts";
import { hmac } from "./schemes/hmac.ts";
import { sendgrid } from "./schemes/sendgrid.ts";
import { basic, none, token } from "./schemes/shared.ts";
import { slack } from "./schemes/slack.ts";
import { standardWebhooks } from "./schemes/standard-webhooks.ts";
import { stripe } from "./schemes/stripe.ts";
import { twilio } from "./schemes/twilio.ts";

export const schemes: { readonly [Name in SchemeName]: Scheme<Name> } = {
  standard_webhooks: standardWebhooks,
  github,
  stripe,
  slack,
  twilio,
  sendgrid,
  docusign,
  hmac,
  basic,
  token,
  none,
};

export function claimOf(request: HookRequest, settings: Verification): SignatureClaim | null {
  const scheme = schemes[settings.scheme] as Scheme; // The scheme is looked up by the name in its settings, so both have the same name.
  return scheme.claim(request, settings);
}
