// Every public route with its worst requests: those of /openapi.json, and the addresses of hooks, which it does not describe.
import { asJson, binaryEvent, events, jsons, others, type Typed } from "./generic.ts";
import { inflated, type Schema, type Schemas } from "./inflate.ts";
import { legalOf } from "./legal.ts";
import type { Sent } from "./send-worst.ts";
import type { World } from "./world.ts";

export type Worst = { readonly name: string; readonly make: (n: number) => Sent };
export type Route = { readonly name: string; readonly worst: readonly Worst[] };

type Operation = {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly requestBody?: { readonly content: { readonly [type: string]: { readonly schema: Schema } } };
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
};
type Document = {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly components: { readonly schemas: Schemas };
};

/** What a URL may have: the platform takes 16 KB. */
const QUERY_BYTES = 12_000;

export async function routesOf(engineUrl: string, world: World): Promise<readonly Route[]> {
  const answer = await fetch(`${engineUrl}/openapi.json`);
  const { paths, components } = (await answer.json()) as Document; // the engine's own description
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const route = { method: method.toUpperCase(), path, operation };
      return { name: `${route.method} ${path}`, worst: worstOf(route, components.schemas, world) };
    }),
  );
  return [...described.toSorted((a, b) => rank(a) - rank(b)), ...hooksOf(world)];
}

/** What takes something away comes last. */
function rank({ name }: Route): number {
  return /^DELETE|\/(?:suspend|archive|cancel|disable)$/.test(name) ? 1 : 0;
}

type Described = { readonly method: string; readonly path: string; readonly operation: Operation };

function worstOf({ method, path, operation }: Described, schemas: Schemas, world: World): readonly Worst[] {
  const url = world.engineUrl + addressOf(path, world);
  const key = path.startsWith("/v1/tenants") || path.startsWith("/v1/prices") ? world.rootKey : world.key;
  const auth: { readonly [name: string]: string } = operation.security === undefined ? {} : bearer(key);
  const schema = operation.requestBody?.content["application/json"]?.schema;
  const queries = queriesOf(operation).map(({ name, query }) => ({
    name,
    make: () => ({ method, url: `${url}?${query}&dryRun=true`, headers: auth, body: null, chunkBytes: 0 }),
  }));
  if (!/^(?:POST|PUT|PATCH)$/.test(method)) return queries;
  const bodies = [...jsons, ...others, ...(schema === undefined ? [] : inflated(schema, schemas).map(asJson))];
  const legal = legalOf(operation.operationId).map(({ name, body }) => ({
    name,
    make: (n: number) => sentOf(method, url, auth, asJson({ name, text: () => JSON.stringify(body(n)) })),
  }));
  const all = bodies.map((typed) => ({ name: typed.name, make: () => sentOf(method, url, auth, typed) }));
  return [...all, ...legal, ...queries];
}

function sentOf(method: string, url: string, auth: Sent["headers"], typed: Typed): Sent {
  return { method, url, headers: { ...auth, ...typed.headers }, body: typed.body(), chunkBytes: typed.chunkBytes };
}

function bearer(key: string): { readonly [name: string]: string } {
  return { Authorization: `Bearer ${key}` };
}

function addressOf(path: string, { names }: World): string {
  const steps = path.split("/");
  return steps.map((step, at) => (step.startsWith("{") ? (names[steps[at - 1] ?? ""] ?? "none") : step)).join("/");
}

function queriesOf({ parameters = [] }: Operation): readonly { readonly name: string; readonly query: string }[] {
  const named = parameters.filter((each) => each.in === "query").map(({ name }) => name);
  const each = named.flatMap((name) => [
    { name: `?${name}, long`, query: `${name}=${"a".repeat(QUERY_BYTES)}` },
    { name: `?${name}, marks`, query: `${name}=${encodeURIComponent("a,.:=*".repeat(QUERY_BYTES / 18))}` },
  ]);
  const many = Array.from({ length: QUERY_BYTES / 8 }, (_, n) => `q${n}=1`).join("&");
  const [first = "q"] = named;
  return [
    ...each,
    { name: "?unknown names", query: many },
    { name: "?one name again and again", query: `${first}=1&`.repeat(QUERY_BYTES / (first.length + 3)) },
  ];
}

/** No key: who may send is what is signed. Unsigned, they must cost as little as anything. */
function hooksOf({ engineUrl, hooks }: World): readonly Route[] {
  const addresses = [
    ...hooks.map(({ name, path }) => ({ name: `POST /hooks/{token} (${name})`, path })),
    { name: "POST /hooks/{token} (made up)", path: `/hooks/${"a".repeat(300)}.${"b".repeat(43)}` },
    { name: "POST /v1/hooks/docusign/{tenant}/{connection}", path: "/v1/hooks/docusign/tried/crm" },
  ];
  return addresses.map(({ name, path }) => ({
    name,
    worst: [...jsons, ...others, ...events, binaryEvent].map((typed) => ({
      name: typed.name,
      make: () => sentOf("POST", engineUrl + path, signature, typed),
    })),
  }));
}

/** None that fits, and as many as a header holds: what a signature costs is counted in these. */
const signature = {
  "X-Hub-Signature-256": `sha256=${"0".repeat(64)}`,
  "X-Twilio-Signature": "AAAA",
  "Stripe-Signature": `t=${Math.floor(Date.now() / 1_000)},${"v1=00,".repeat(1_000)}`,
  "X-Twilio-Email-Event-Webhook-Signature": "MEUCIQ==",
  "X-Twilio-Email-Event-Webhook-Timestamp": "1",
  "X-DocuSign-Signature-1": "AAAA",
  "X-Signature": "00,".repeat(1_000),
};
