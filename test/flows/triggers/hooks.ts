// Triggers for flow tests: a shop with a GitHub hook and what it starts, and the requests of its sender.
import { createHmac } from "node:crypto";
import { expect } from "vitest";
import type { Answer, Parsed } from "#test/support/api.ts";
import { setSecrets } from "../crm.ts";
import { bindings, engine, until, worker, type Engine } from "../engine.ts";

Object.assign(bindings, { SIGNING_KEY: "signing-key-of-the-flow-tests" });

export const KEY = "It's a Secret to Everybody";

/** Waits for a word; keeps what it was started with. */
export const deploy = {
  kind: "machine",
  name: "deploy",
  initial: "open",
  states: {
    open: { on: { "deploy.approved": { target: "done", assign: { by: { var: "message.payload.by" } } } } },
    done: { type: "final" },
  },
};

export const pushes = {
  name: "pushes",
  kind: "webhook",
  verify: { scheme: "github", secret: "github_hook" },
  target: { kind: "start", definition: "deploy", variables: { commit: "{{ request.body.after }}" } },
};

export type Sent = { readonly id?: string | null; readonly key?: string; readonly headers?: Record<string, string> };

export type Hooks = Engine & {
  readonly trigger: Parsed;
  readonly url: string;
  /** As GitHub sends. */
  readonly push: (body: unknown, sent?: Sent, url?: string) => Promise<Answer>;
  readonly pushed: (body: unknown, sent?: Sent, url?: string) => Promise<Parsed>;
  readonly deliveries: (query?: string) => Promise<Parsed[]>;
  readonly executions: () => Promise<Parsed[]>;
  /** Until all deliveries have come to rest. */
  readonly rests: () => Promise<Parsed[]>;
};

export async function hooks(trigger: object = pushes, ...definitions: readonly object[]): Promise<Hooks> {
  const shop = await engine(deploy, ...definitions);
  await setSecrets(shop, { github_hook: KEY });
  const made = await shop.must(201, "POST", "/v1/triggers", { body: trigger });
  const push: Hooks["push"] = (body, sent = {}, url = made.url) => post(url, body, sent);
  const deliveries: Hooks["deliveries"] = async (query = "") =>
    (await shop.must(200, "GET", `/v1/triggers/${made.id}/deliveries${query}`)).data;
  return {
    ...shop,
    trigger: made,
    url: made.url,
    push,
    pushed: async (...request) => {
      const answer = await push(...request);
      expect(answer.status, JSON.stringify(answer.body)).toBe(202);
      return answer.body.deliveries[0];
    },
    deliveries,
    executions: async () => (await shop.must(200, "GET", `/v1/executions?trigger=${made.id}`)).data,
    rests: () =>
      until("all deliveries rest", async () => {
        const all = await deliveries();
        return all.some(({ status }) => status === "pending") ? null : all;
      }),
  };
}

let sent = 0;

export async function post(url: string, body: unknown, { id, key = KEY, headers = {} }: Sent = {}): Promise<Answer> {
  sent += 1;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const signature = createHmac("sha256", key).update(text).digest("hex");
  const response = await worker.fetch(url, {
    method: "POST",
    body: text,
    headers: {
      "Content-Type": "application/json",
      "X-GitHub-Event": "push",
      ...(id === null ? {} : { "X-GitHub-Delivery": id ?? `delivery-${sent}` }),
      "X-Hub-Signature-256": `sha256=${signature}`,
      ...headers,
    },
  });
  const said = await response.text();
  const isJson = /json/.test(response.headers.get("Content-Type") ?? "");
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(said) : said };
}

export function stubOf({ tenant, trigger }: Pick<Hooks, "tenant" | "trigger">) {
  return bindings.TRIGGERS.getByName(`${tenant}/${trigger.id}`);
}
