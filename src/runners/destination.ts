// Destinations: describe the recipient of an action's config for lists and dry runs. The config may contain templates,
// so any field may be missing. Secret parts are redacted, and a slot of a secret shows the secret's name.
import type { Destination } from "#schema/destination.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { redactText, redactUrl } from "./core/redact.ts";

type DescribeConfig = (config: JsonObject) => Destination;

const TOKEN_SHOWN = 8;

const destinations: { readonly [type: string]: DescribeConfig } = {
  api_call: ({ service, endpoint, url, method }) => ({
    kind: "url",
    to: [
      `${textOf(method) ?? "GET"} ${textOf(service) === null ? shownUrl(url) : `${textOf(service)}: /${pathOf(endpoint)}`}`,
    ],
  }),
  blockchain_mint: (config) => onChain(config, "mint"),
  contract_call: (config) => onChain(config, null),
  database: ({ database, connection }) => ({ kind: "database", to: textsOf([database ?? connection]) }),
  delay: () => ({ kind: "nowhere", to: [] }),
  docusign_envelope: ({ recipients, templateRoles, compositeTemplates, ...own }) => ({
    kind: "signers",
    to: [
      ...listOf(recipients),
      ...listOf(templateRoles),
      ...peopleOf(own),
      ...listOf(compositeTemplates).flatMap(peopleInLayers),
    ].flatMap(signerOf),
  }),
  docusign_recipient_view: (config) => ({ kind: "signers", to: mailboxOf(config) }),
  email: ({ to, recipient, cc, bcc }) => ({
    kind: "email",
    to: [...listOf(to ?? recipient), ...listOf(cc), ...listOf(bcc)].flatMap(mailboxOf),
  }),
  push: ({ subscription, token, topic, condition }) => {
    if (subscription !== undefined) return { kind: "browser", to: [hostOf(fieldOf(subscription, "endpoint"))] };
    if (token !== undefined) return { kind: "device", to: textsOf([token]).map(shortened) };
    return { kind: topic === undefined ? "condition" : "topic", to: textsOf([topic ?? condition]) };
  },
  send_event: ({ execution, type }) => ({ kind: "execution", to: textsOf([execution, type]) }),
  slack: ({ channel }) => ({ kind: "channel", to: [textOf(channel) ?? "the channel of the incoming webhook"] }),
  sms: ({ to, phoneNumber }) => ({ kind: "phone", to: listOf(to ?? phoneNumber).flatMap((each) => textsOf([each])) }),
  start_execution: ({ definition }) => ({ kind: "definition", to: textsOf([definition]) }),
  task: ({ assignee, assignedTo }) => ({ kind: "person", to: [textOf(assignee ?? assignedTo) ?? "anybody"] }),
  webhook: ({ url, method }) => ({ kind: "url", to: [`${textOf(method) ?? "POST"} ${shownUrl(url)}`] }),
  worker: ({ service, method }) => ({ kind: "worker", to: [`${textOf(service) ?? "?"}.${textOf(method) ?? "?"}`] }),
};

/** Returns the config's destination; null if the action's type is unknown. */
export function destinationOf(type: string, config: JsonObject): Destination | null {
  return Object.hasOwn(destinations, type) ? (destinations[type]?.(config) ?? null) : null;
}

/** Returns the recipient of the token, if a parameter names one, followed by the called contract. */
function onChain({ network, contractAddress, function: name, parameters }: JsonObject, usual: string | null) {
  const chain = textOf(network) ?? "mainnet";
  const called = textOf(name) ?? usual ?? "";
  const recipient = ["to", "recipient", "account", "owner"]
    .map((key) => textOf(fieldOf(parameters, key)))
    .find(Boolean);
  const contract = `${called}() of ${textOf(contractAddress) ?? "?"} on ${chain}`;
  return { kind: "chain", to: recipient === undefined ? [contract] : [`${recipient}`, contract] };
}

/** Returns the address in a mailbox, which is a text or an object with email and name. */
function mailboxOf(value: Json): string[] {
  const email = textOf(fieldOf(value, "email"));
  if (email === null) return textsOf([value]);
  const name = textOf(fieldOf(value, "name"));
  return [name === null ? email : `${name} <${email}>`];
}

function signerOf(value: Json): string[] {
  const role = textOf(fieldOf(value, "roleName") ?? fieldOf(value, "role"));
  return mailboxOf(value).map((person) => (role === null ? person : `${person} as ${role}`));
}

function peopleOf(of: Json | undefined): Json[] {
  return [...listOf(fieldOf(of, "signers")), ...listOf(fieldOf(of, "carbonCopies"))];
}

/** Returns the people of all layers of a composite template. A person in several layers is listed in each. */
function peopleInLayers(composite: Json): Json[] {
  return listOf(fieldOf(composite, "inlineTemplates")).flatMap((inline) => peopleOf(fieldOf(inline, "recipients")));
}

/**
 * Redacts a URL for display. A URL with a template is redacted as free text, because it cannot be parsed before it is
 * rendered.
 */
function shownUrl(url: Json | undefined): string {
  const text = textOf(url) ?? "?";
  return /\{\{|\{%|\[secret /.test(text) ? redactText(text) : redactUrl(text);
}

/** Returns only the host of a push subscription, because its path authorizes sending to the browser. */
function hostOf(url: Json | undefined): string {
  const text = textOf(url) ?? "?";
  return URL.canParse(text) ? new URL(text).host : redactText(text);
}

function shortened(token: string): string {
  return token.length > 3 * TOKEN_SHOWN && !token.includes("{{") ? `${token.slice(0, TOKEN_SHOWN)}…` : token;
}

function pathOf(endpoint: Json | undefined): string {
  return redactText((textOf(endpoint) ?? "").replace(/^\/+/, "").split("?")[0] ?? "");
}

function textsOf(values: readonly (Json | undefined)[]): string[] {
  return values.map(textOf).filter((each) => each !== null);
}

/** Converts a string, a number or a slot of a secret to text. Returns null for any other value. */
function textOf(value: Json | undefined): string | null {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  const slot = fieldOf(value, "$secret");
  if (!Array.isArray(slot)) return null;
  return slot.map((part: Json) => textOf(part) ?? `[secret ${textOf(fieldOf(part, "name"))}]`).join("");
}

/** Returns the value as a list: a single value becomes a list of one. */
function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function fieldOf(value: Json | undefined, name: string): Json | undefined {
  if (value === undefined || value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined; // field() has excluded null, scalars and lists
}
