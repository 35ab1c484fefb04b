// Callback credentials: the providers whose callbacks the engine receives, and the credential of a connection that names
// the secret with which such callbacks are verified.
export const callbackCredentials = {
  docusign: "connectHmacKey",
  resend: "webhookKey",
  sendgrid: "webhookKey",
  twilio: "webhookKey",
} as const;
export type CallbackProviderName = keyof typeof callbackCredentials;

/** Returns the field of the credentials that a provider's callbacks need; null if the provider sends none. */
export function callbackCredential(provider: string): string | null {
  return Object.hasOwn(callbackCredentials, provider) ? callbackCredentials[provider as CallbackProviderName] : null;
}

/** Returns the path of the URL that receives the callbacks of a connection. */
export function callbackPath(provider: string, tenant: string, connection: string): string {
  return `/v1/hooks/${provider}/${tenant}/${connection}`;
}
