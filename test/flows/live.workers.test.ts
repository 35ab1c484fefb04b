// Watching an execution over a WebSocket: entries arrive as they are committed, also after the object slept.
import { evictDurableObject } from "cloudflare:test";
import { expect, it, vi } from "vitest";
import type { Parsed } from "#test/support/api.ts";
import { chain, engine, provider, until, worker, type Engine } from "./engine.ts";

// Waiting is by looking, so this is only for machines that are busy with something else.
vi.setConfig({ testTimeout: 60_000 });

const counter = {
  kind: "machine",
  name: "counter",
  variables: { ticks: 0 },
  initial: "open",
  states: {
    open: { on: { tick: { assign: { ticks: { "+": [{ var: "execution.variables.ticks" }, 1] } } }, close: "done" } },
    done: { type: "final" },
  },
};

async function watch({ key }: Engine, id: string) {
  const url = `https://api.test/v1/executions/${id}/live`;
  const response = await worker.fetch(url, { headers: { Upgrade: "websocket", Authorization: `Bearer ${key}` } });
  const entries: Parsed[] = [];
  let isClosed = false;
  const socket = response.webSocket;
  socket?.addEventListener("message", (message: MessageEvent) => void entries.push(JSON.parse(String(message.data))));
  socket?.addEventListener("close", () => void (isClosed = true));
  socket?.accept();
  return { status: response.status, entries, socket, isClosed: () => isClosed };
}

function tick(shop: Engine, id: string): Promise<unknown> {
  return shop.must(200, "POST", `/v1/executions/${id}/events`, { body: { type: "tick" } });
}

it("a listener sees what the journal says, as it happens", async () => {
  let isOpen = false;
  provider(async () => (await until("the gate opens", () => (isOpen ? true : null)), Response.json({})));
  const shop = await engine(chain("two", ["one", "two"]));
  const id = await shop.start("two");
  const before = await shop.journal(id);
  const live = await watch(shop, id);
  expect(live.status).toBe(101);
  isOpen = true;
  await shop.reaches(id, "completed");
  await until("the last entry", () => (live.entries.at(-1)?.kind === "completed" ? true : null));
  const after = (await shop.journal(id)).slice(before.length);
  expect(live.entries).toEqual(after);
  live.socket?.close();
});

it("listening keeps no object awake, and an object that slept still tells", async () => {
  const shop = await engine(counter);
  const id = await shop.start("counter");
  const live = await watch(shop, id);
  await tick(shop, id);
  await until("the first entry", () => (live.entries.length > 0 ? true : null));
  await evictDurableObject(shop.stub(id), { webSockets: "hibernate" });
  await tick(shop, id);
  await until("an entry from after the eviction", () =>
    new Set(live.entries.map(({ seq }) => seq)).size === 2 ? true : null,
  );
  expect(live.isClosed()).toBe(false);
  live.socket?.close();
});

it("listeners of a pool cell hear of their execution only, and one that hangs up disturbs nobody", async () => {
  const shop = await engine({ ...counter, placement: "pooled" });
  const start = () => shop.start("counter");
  const first = await start();
  let second = await start();
  const cellOf = (id: string) => id.split("_p")[1];
  while (cellOf(second) !== cellOf(first)) second = await start();
  const [one, other, left] = await Promise.all([watch(shop, first), watch(shop, second), watch(shop, first)]);
  left.socket?.send("what a listener says changes nothing");
  left.socket?.close();
  await tick(shop, first);
  await tick(shop, second);
  await until("both have heard", () => (one.entries.length > 0 && other.entries.length > 0 ? true : null));
  const idsOf = ({ entries }: typeof one) => new Set(entries.flatMap(({ event }) => event?.id ?? []));
  expect([idsOf(one).size, idsOf(other).size]).toEqual([1, 1]);
  expect(idsOf(one)).not.toEqual(idsOf(other));
  for (const { socket } of [one, other]) socket?.close();
});

it("there is nothing to watch where there is no execution", async () => {
  const shop = await engine(counter);
  const { status, socket } = await watch(shop, "exe_nobody");
  expect([status, socket]).toEqual([404, null]);
});
