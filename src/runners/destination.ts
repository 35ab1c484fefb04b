// Destinations: describe the recipient of an action's config for lists and dry runs. The config may contain templates,
// so any field may be missing. Secret parts are redacted, and a secret's slot shows its name.
import type { Destination } from "#schema/destination.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { redactText, redactUrl } from "./core/redact.ts";

type Described = (config: JsonObject) => Destination;

const TOKEN_SHOWN = 8;

const destinations: { readonly [type: string]: Described } = {
  api_call: ({ service, endpoint, url, method }) => ({
    kind: "url",
    to: [`${word(method) ?? "GET"} ${word(service) === null ? address(url) : `${word(service)}: /${bare(endpoint)}`}`],
  }),
  blockchain_mint: (config) => onChain(config, "mint"),
  contract_call: (config) => onChain(config, null),
  database: ({ database, connection }) => ({ kind: "database", to: words([database ?? connection]) }),
  delay: () => ({ kind: "nowhere", to: [] }),
  docusign_envelope: ({ recipients, templateRoles, compositeTemplates, ...own }) => ({
    kind: "signers",
    to: [
      ...list(recipients),
      ...list(templateRoles),
      ...peopleOf(own),
      ...list(compositeTemplates).flatMap(layered),
    ].flatMap(signer),
  }),
  docusign_recipient_view: (config) => ({ kind: "signers", to: mailbox(config) }),
  email: ({ to, cc, bcc }) => ({ kind: "email", to: [...list(to), ...list(cc), ...list(bcc)].flatMap(mailbox) }),
  push: ({ subscription, token, topic, condition }) => {
    if (subscription !== undefined) return { kind: "browser", to: [host(field(subscription, "endpoint"))] };
    if (token !== undefined) return { kind: "device", to: words([token]).map(shortened) };
    return { kind: topic === undefined ? "condition" : "topic", to: words([topic ?? condition]) };
  },
  send_event: ({ execution, type }) => ({ kind: "execution", to: words([execution, type]) }),
  slack: ({ channel }) => ({ kind: "channel", to: [word(channel) ?? "the incoming webhook's own"] }),
  sms: ({ to }) => ({ kind: "phone", to: list(to).flatMap((each) => words([each])) }),
  start_execution: ({ definition }) => ({ kind: "definition", to: words([definition]) }),
  task: ({ assignee, assignedTo }) => ({ kind: "person", to: [word(assignee ?? assignedTo) ?? "anybody"] }),
  webhook: ({ url, method }) => ({ kind: "url", to: [`${word(method) ?? "POST"} ${address(url)}`] }),
};

/** Returns the config's destination. Null for an unknown type. */
export function destinationOf(type: string, config: JsonObject): Destination | null {
  return Object.hasOwn(destinations, type) ? (destinations[type]?.(config) ?? null) : null;
}

/** Returns the token's recipient, if a parameter names one, and then the contract. */
function onChain({ network, contractAddress, function: name, parameters }: JsonObject, usual: string | null) {
  const chain = word(network) ?? "mainnet";
  const called = word(name) ?? usual ?? "";
  const recipient = ["to", "recipient", "account", "owner"].map((key) => word(field(parameters, key))).find(Boolean);
  const contract = `${called}() of ${word(contractAddress) ?? "?"} on ${chain}`;
  return { kind: "chain", to: recipient === undefined ? [contract] : [`${recipient}`, contract] };
}

/** Reads a mailbox that is a text or an object with email and name. */
function mailbox(value: Json): string[] {
  const email = word(field(value, "email"));
  if (email === null) return words([value]);
  const name = word(field(value, "name"));
  return [name === null ? email : `${name} <${email}>`];
}

function signer(value: Json): string[] {
  const role = word(field(value, "roleName") ?? field(value, "role"));
  return mailbox(value).map((person) => (role === null ? person : `${person} as ${role}`));
}

function peopleOf(of: Json | undefined): Json[] {
  return [...list(field(of, "signers")), ...list(field(of, "carbonCopies"))];
}

/** Returns the people of all layers of a composite template. A person in several layers is listed in each. */
function layered(composite: Json): Json[] {
  return list(field(composite, "inlineTemplates")).flatMap((inline) => peopleOf(field(inline, "recipients")));
}

/** Redacts a URL. A template is redacted as text, because only a complete URL can be parsed. */
function address(url: Json | undefined): string {
  const text = word(url) ?? "?";
  return /\{\{|\{%|\[secret /.test(text) ? redactText(text) : redactUrl(text);
}

/** Returns only the host of a push subscription, because its path authorizes sending to the browser. */
function host(url: Json | undefined): string {
  const text = word(url) ?? "?";
  return URL.canParse(text) ? new URL(text).host : redactText(text);
}

function shortened(token: string): string {
  return token.length > 3 * TOKEN_SHOWN && !token.includes("{{") ? `${token.slice(0, TOKEN_SHOWN)}…` : token;
}

function bare(endpoint: Json | undefined): string {
  return redactText((word(endpoint) ?? "").replace(/^\/+/, "").split("?")[0] ?? "");
}

function words(values: readonly (Json | undefined)[]): string[] {
  return values.map(word).filter((each) => each !== null);
}

/** Converts a string, a number or a secret's slot to text. Null for any other value. */
function word(value: Json | undefined): string | null {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  const slot = field(value, "$secret");
  if (!Array.isArray(slot)) return null;
  return slot.map((part: Json) => word(part) ?? `[secret ${word(field(part, "name"))}]`).join("");
}

/** Returns the value as a list: a single value becomes a list of one. */
function list(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function field(value: Json | undefined, name: string): Json | undefined {
  if (value === undefined || value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined; // field() has excluded null, scalars and lists
}
