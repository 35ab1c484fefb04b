// A shop whose orders a poller reads: a provider with a list that grows, in pages of two, that can be told to fail.
import { runDurableObjectAlarm } from "cloudflare:test";
import type { Parsed } from "#test/support/api.ts";
import { bindings, engine, provider, PROVIDER, until, type Call, type Engine } from "../engine.ts";
import { deploy } from "./hooks.ts";

export type Order = { readonly id: string; readonly total: number };

export const orders = {
  name: "orders",
  kind: "poller",
  poll: {
    request: { url: `${PROVIDER}/orders` },
    every: "PT5M",
    items: "/data",
    id: "/id",
    paging: { by: "cursor", path: "/next", query: "after" },
    from: "all",
  },
  target: { kind: "start", definition: "deploy", variables: { order: "{{ request.body }}" } },
};

export type Polled = Engine & {
  readonly trigger: Parsed;
  readonly list: Order[];
  /** What the provider was asked for this poller. */
  readonly asked: () => Call[];
  /** Answers the next calls, one after the other, in place of the list. */
  readonly instead: Instead[];
  readonly state: () => Promise<Parsed>;
  /** It asks by itself as soon as it is there: waits until that is done. */
  readonly first: () => Promise<Parsed>;
  /** Lets it ask now, and waits until it has read all there is. */
  readonly poll: () => Promise<Parsed>;
  readonly deliveries: () => Promise<Parsed[]>;
  /** The orders that executions were started for, as they came. */
  readonly started: () => Promise<string[]>;
};

export type Instead = (call: Call) => Response;

export async function polled(list: Order[], trigger = orders, ...instead: Instead[]): Promise<Polled> {
  // Pollers of tests before this one may still ask: theirs is another shop.
  const name = crypto.randomUUID();
  const isOwn = ({ url }: Call) => url.searchParams.get("shop") === name;
  const outside = provider((call) => (isOwn(call) ? (instead.shift() ?? pageOf(list)) : pageOf([]))(call));
  const asked = () => outside.calls.filter(isOwn);
  const request = { ...trigger.poll.request, query: { shop: name } };
  const shop = await engine(deploy);
  const made = await shop.must(201, "POST", "/v1/triggers", {
    body: { ...trigger, poll: { ...trigger.poll, request } },
  });
  const state = async () => (await shop.must(200, "GET", `/v1/triggers/${made.id}`)).state.poller;
  const deliveries = async (): Promise<Parsed[]> =>
    (await shop.must(200, "GET", `/v1/triggers/${made.id}/deliveries?limit=100`)).data;
  const ring = () => runDurableObjectAlarm(bindings.TRIGGERS.getByName(`${shop.tenant}/${made.id}`));
  const rests = (calls: number): Promise<Parsed> =>
    until("it has asked and is at rest", async () => {
      const now = await state();
      const isAtRest = Date.parse(now.nextPollAt) > Date.now() && now.backlog === 0;
      if (!isAtRest) await ring();
      return asked().length >= calls && isAtRest ? now : null;
    });
  return {
    ...shop,
    trigger: made,
    list,
    asked,
    instead,
    state,
    deliveries,
    first: () => rests(1),
    poll: async () => {
      const { length } = asked();
      await shop.must(200, "POST", `/v1/triggers/${made.id}/poll`, { body: {} });
      return rests(length + 1);
    },
    started: async () => {
      const all = await until("all deliveries rest", async () => {
        const found = await deliveries();
        return found.some(({ status }) => status === "pending") ? null : found;
      });
      const started = all.toReversed().filter(({ execution }) => execution !== null);
      const read = await Promise.all(started.map(({ execution }) => shop.read(execution)));
      return read.map(({ variables }) => variables.order.id);
    },
  };
}

export const order = (n: number): Order => ({ id: `o${n}`, total: n * 10 });

const pageOf =
  (list: readonly Order[]) =>
  ({ url }: Call): Response => {
    const from = Number(url.searchParams.get("after") ?? 0);
    const data = list.slice(from, from + 2);
    return Response.json({ data, next: from + 2 < list.length ? String(from + 2) : null });
  };
