// Providers: which connections an action may use, and the action type of each provider's connections.

/** The provider of an action that can use a connection of any provider, because it needs only an HTTP endpoint. */
const ANY_PROVIDER = "http";
/** The provider of an e-mail that names no provider. Its connection determines the provider. */
export const MAIL_PROVIDER = "email";

const MAIL_PROVIDERS: readonly string[] = ["sendgrid", "resend"];

/** The action type of each provider's connections. Connections of all other providers are for api_call. */
const typeByProvider: { readonly [provider: string]: string } = {
  sendgrid: "email",
  resend: "email",
  twilio: "sms",
  slack: "slack",
  fcm: "push",
  webpush: "push",
  docusign: "docusign_envelope",
  evm: "contract_call",
  database: "database",
};

export function typeOfProvider(provider: string): string {
  return Object.hasOwn(typeByProvider, provider) ? (typeByProvider[provider] ?? "api_call") : "api_call";
}

/** The providers whose connections an action may use. */
export type ProviderSet = { readonly kind: "only" | "except"; readonly providers: readonly string[] };

/** Returns the providers of the connections that an action may use without naming one. */
export function providersFor(requested: string): ProviderSet {
  if (requested === ANY_PROVIDER) return { kind: "except", providers: Object.keys(typeByProvider) };
  return { kind: "only", providers: requested === MAIL_PROVIDER ? MAIL_PROVIDERS : [requested] };
}

/** Returns whether an action may use a connection of this provider. `isNamed`: the action names the connection. */
export function isUsable(requested: string, provider: string, isNamed: boolean): boolean {
  if (isNamed && requested === ANY_PROVIDER) return true;
  const { kind, providers } = providersFor(requested);
  return providers.includes(provider) === (kind === "only");
}
