// Watching an execution over a WebSocket: entries arrive as they are committed, also after the object slept.
import { expect, it, onTestFinished, vi } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { ListenerKeys } from "#entrypoints/subscriber-keys.ts";
import { createClient } from "#client/client.ts";
import type { LiveSocket } from "#client/live-stream.ts";
import { LIVE_KEY_CHECK_MS, LIVE_STREAM_MS_MAX } from "#schema/limits/live-streams.ts";
import type { Parsed } from "#test/support/api.ts";
import { bindings, chain, engine, provider, until, worker, type Engine } from "./engine.ts";

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
  let code: number | null = null;
  const socket = response.webSocket;
  socket?.addEventListener("message", (message: MessageEvent) => void entries.push(JSON.parse(String(message.data))));
  socket?.addEventListener("close", (closed: CloseEvent) => {
    isClosed = true;
    code = closed.code;
  });
  socket?.accept();
  return { status: response.status, entries, socket, isClosed: () => isClosed, code: () => code };
}

/** The typed client's WebSocket, over the Worker under test instead of the network. */
function overWorker(url: string, protocols: string[]): LiveSocket {
  const told = new EventTarget();
  const headers = { Upgrade: "websocket", "Sec-WebSocket-Protocol": protocols.join(", ") };
  const opening = worker.fetch(url.replace(/^ws/, "http"), { headers }).then(({ webSocket }) => {
    if (webSocket === null) return void told.dispatchEvent(new Event("error"));
    webSocket.addEventListener("message", ({ data }) => told.dispatchEvent(new MessageEvent("message", { data })));
    webSocket.addEventListener("close", (closed) => told.dispatchEvent(new CloseEvent("close", closed)));
    webSocket.accept();
    told.dispatchEvent(new Event("open"));
    return webSocket;
  });
  return Object.assign(told, { close: () => void opening.then((socket) => socket?.close()) });
}

it("the typed client yields the whole journal, and ends with the execution", async () => {
  const shop = await engine(counter);
  const id = await shop.start("counter");
  const fetch = (url: string, init: RequestInit) => worker.fetch(url, init);
  const client = createClient({ baseUrl: "https://api.test", key: shop.key, fetch, webSocket: overWorker });
  const entries = client.executions.live(id);
  const received: unknown[] = [(await entries.next()).value];
  await tick(shop, id);
  await shop.must(200, "POST", `/v1/executions/${id}/events`, { body: { type: "close" } });
  for (;;) {
    const next = await entries.next();
    if (!next.done) received.push(next.value);
    else {
      expect(next.value.code).toBe(4200);
      break;
    }
  }
  expect(received).toEqual(await shop.journal(id));
});

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
  await evict(shop.stub(id), { webSockets: "hibernate" });
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

/** Objects read the same clock as this test. */
function clockAhead(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
  onTestFinished(() => void vi.useRealTimers());
}

it("a listener whose key has been revoked hears nothing more, and is told why; others listen on", async () => {
  const shop = await engine(counter);
  const id = await shop.start("counter");
  const made = await shop.must(201, "POST", "/v1/keys", { body: { name: "wall", scopes: ["read"] } });
  const [wall, own] = [await watch({ ...shop, key: made.secret }, id), await watch(shop, id)];
  await shop.must(200, "DELETE", `/v1/keys/${made.key.id}`);
  clockAhead(LIVE_KEY_CHECK_MS);
  await tick(shop, id);
  await tick(shop, id);
  await until("both ticks", () => (new Set(own.entries.map(({ seq }) => seq)).size === 2 ? true : null));
  await until("the end", () => (wall.isClosed() ? true : null));
  expect([wall.code(), wall.entries, own.isClosed()]).toEqual([4401, [], false]);
  const order = own.entries.map(({ seq, n }) => Number(seq) * 100 + Number(n));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  own.socket?.close();
});

it("where keys cannot be asked after, listeners listen on", async () => {
  const spy = vi.spyOn(ListenerKeys.prototype, "endedKeys").mockRejectedValue(new Error("D1 is down"));
  onTestFinished(() => spy.mockRestore());
  const shop = await engine(counter);
  const id = await shop.start("counter");
  const live = await watch(shop, id);
  clockAhead(LIVE_KEY_CHECK_MS);
  await tick(shop, id);
  await until("the entry", () => (live.entries.length > 0 ? true : null));
  await tick(shop, id);
  await until("the next", () => (new Set(live.entries.map(({ seq }) => seq)).size === 2 ? true : null));
  // Once in half a minute, and not for every entry.
  expect([spy.mock.calls.length, live.isClosed()]).toEqual([1, false]);
  live.socket?.close();
});

it("a listener's time is bounded: it connects again", async () => {
  const shop = await engine(counter);
  const id = await shop.start("counter");
  const live = await watch(shop, id);
  clockAhead(LIVE_STREAM_MS_MAX);
  await tick(shop, id);
  await until("the end", () => (live.isClosed() ? true : null));
  expect([live.code(), live.entries]).toEqual([4408, []]);
  const again = await watch(shop, id);
  await tick(shop, id);
  await until("the entry", () => (again.entries.length > 0 ? true : null));
  again.socket?.close();
});

it("the stream of a short-lived token ends when the token expires", async () => {
  Object.assign(bindings, { SIGNING_KEY: "signing-key-of-the-flow-tests" });
  const shop = await engine(counter);
  const id = await shop.start("counter");
  const asked = { scopes: ["read"], execution: id, lifetime: "PT1M" };
  const { token } = await shop.must(201, "POST", "/v1/tokens", { body: asked });
  const live = await watch({ ...shop, key: token }, id);
  clockAhead(60_000);
  await tick(shop, id);
  await until("the end", () => (live.isClosed() ? true : null));
  expect([live.code(), live.entries, (await watch({ ...shop, key: token }, id)).status]).toEqual([4408, [], 401]);
});

it("a listener hears that the execution has ended, and a late one hears it at once", async () => {
  const shop = await engine(counter);
  const id = await shop.start("counter");
  const live = await watch(shop, id);
  await shop.must(200, "POST", `/v1/executions/${id}/events`, { body: { type: "close" } });
  await until("the end", () => (live.isClosed() ? true : null));
  expect([live.code(), live.entries.at(-1)?.kind]).toEqual([4200, "completed"]);
  const late = await watch(shop, id);
  await until("the end again", () => (late.isClosed() ? true : null));
  expect([late.status, late.code(), late.entries]).toEqual([101, 4200, []]);
});
