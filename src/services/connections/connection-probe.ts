// The cheapest call that shows whether a connection works: authenticated, and without any effect. Providers that are
// not listed are asked for their base URL.
import type { OutboundCall } from "#schema/provider/outbound.ts";
import type { ConnectionSettings } from "#schema/connection.ts";
import { authParts, basic } from "./connection-auth.ts";
import { databaseProbe } from "./database-probe.ts";

type Asked = {
  readonly provider: string;
  readonly settings: ConnectionSettings;
  readonly credentials: { readonly [field: string]: string };
  readonly token: string | null;
};
type Probe = Pick<OutboundCall, "method" | "url" | "headers" | "body">;
/** `path` goes behind the connection's base URL, or the provider's own. */
type Known = {
  readonly own: string | null;
  readonly path: string;
  readonly method?: string;
  readonly headers: (asked: Asked) => Probe["headers"];
  readonly body?: string;
};

const bearer = (field: string) => (asked: Asked) => ({ Authorization: `Bearer ${credential(asked, field)}` });
const withToken = ({ token }: Asked) => ({ Authorization: `Bearer ${token ?? ""}` });

const known: { readonly [provider: string]: Known } = {
  sendgrid: { own: "https://api.sendgrid.com", path: "/v3/scopes", headers: bearer("apiKey") },
  resend: { own: "https://api.resend.com", path: "/domains", headers: bearer("apiKey") },
  twilio: {
    own: "https://api.twilio.com",
    path: "/2010-04-01/Accounts/{accountSid}.json",
    headers: (asked) => {
      const user = credential(asked, "apiKeySid") || credential(asked, "accountSid");
      return { Authorization: basic(user, credential(asked, "apiKeySecret") || credential(asked, "authToken")) };
    },
  },
  slack: {
    own: "https://slack.com",
    path: "/api/auth.test",
    method: "POST",
    headers: (asked) => ({ Authorization: `Bearer ${credential(asked, "token") || (asked.token ?? "")}` }),
  },
  docusign: { own: "https://account.docusign.com", path: "/oauth/userinfo", headers: withToken },
  evm: {
    own: null,
    path: "",
    method: "POST",
    headers: (asked) => ({
      "Content-Type": "application/json",
      ...authParts(asked.settings, asked.credentials, asked.token).headers,
    }),
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] }),
  },
};

/** null: nothing can be called without an effect, or the connection says no address. */
export function probeOf(asked: Asked): Probe | null {
  const { provider, settings } = asked;
  // An incoming webhook can only post.
  if (provider === "slack" && credential(asked, "webhookUrl") !== "") return null;
  // Its runner gets a token with the account's key, which is more than a probe can do.
  if (provider === "docusign" && asked.token === null) return null;
  if (provider === "database") return databaseProbe(settings, credential(asked, "token"));
  const way = Object.hasOwn(known, provider) ? known[provider] : undefined;
  const base = settings.baseUrl ?? way?.own ?? null;
  if (base === null) return null;
  if (way === undefined) return generic(asked, base);
  const path = way.path.replace(/\{(\w+)\}/g, (_all, field: string) => encodeURIComponent(credential(asked, field)));
  return {
    method: way.method ?? "GET",
    url: base.replace(/\/+$/, "") + path,
    headers: way.headers(asked),
    body: way.body ?? null,
  };
}

function generic({ settings, credentials, token }: Asked, base: string): Probe {
  const { headers, query } = authParts(settings, credentials, token);
  const url = new URL(base);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return { method: "GET", url: url.href, headers, body: null };
}

function credential({ credentials }: Asked, field: string): string {
  return Object.hasOwn(credentials, field) ? (credentials[field] ?? "") : "";
}
