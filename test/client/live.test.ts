// The live entries of the typed client, with a fake WebSocket and a fake journal.
import { expect, test, vi, onTestFinished } from "vitest";
import { createClient } from "#client/client.ts";
import type { LiveSocket } from "#client/live-stream.ts";

type Entry = { readonly seq: number; readonly n: number; readonly kind: string };
type Fake = LiveSocket & EventTarget & { readonly url: string; readonly protocols: readonly string[] };

const entry = (seq: number, n = 0): Entry => ({ seq, n, kind: `k${seq}.${n}` });

/** An engine whose journal has pages of two entries. Each WebSocket of the client is in `sockets`. */
function engine() {
  const journal: Entry[] = [entry(1), entry(1, 1), entry(2)];
  const sockets: Fake[] = [];
  const reads: string[] = [];
  const say = (event: Event) => void sockets.at(-1)?.dispatchEvent(event);
  const client = createClient({
    baseUrl: "http://engine.test/",
    key: "esk_1",
    tenant: "acme",
    fetch: async (url) => {
      const from = Number(new URL(url).searchParams.get("cursor") ?? 0);
      reads.push(String(from));
      const rest = journal.slice(from);
      return Response.json({ data: rest.slice(0, 2), nextCursor: rest.length > 2 ? String(from + 2) : null });
    },
    webSocket: (url, protocols) => {
      const socket: Fake = Object.assign(new EventTarget(), {
        url,
        protocols,
        close: () => void socket.dispatchEvent(new CloseEvent("close", { code: 1000 })),
      });
      sockets.push(socket);
      queueMicrotask(() => say(new Event("open")));
      return socket;
    },
  });
  return {
    client,
    journal,
    sockets,
    reads,
    send: (each: Entry) => say(new MessageEvent("message", { data: JSON.stringify(each) })),
    close: (code: number) => say(new CloseEvent("close", { code, reason: "why" })),
    fail: () => say(new Event("error")),
  };
}

async function take(entries: AsyncGenerator<Entry>, count: number): Promise<string[]> {
  const kinds: string[] = [];
  while (kinds.length < count) kinds.push((await entries.next()).value.kind);
  return kinds;
}

function fakeTimers(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

test("yields the journal, then each new entry once, and returns the close code of the end", async () => {
  const { client, sockets, send, close } = engine();
  const entries = client.executions.live("exe_1");
  expect(await take(entries, 3)).toEqual(["k1.0", "k1.1", "k2.0"]);
  send(entry(2));
  send(entry(3));
  send(entry(3, 1));
  close(4200);
  expect(await take(entries, 2)).toEqual(["k3.0", "k3.1"]);
  expect(await entries.next()).toEqual({ done: true, value: { code: 4200, reason: "why" } });
  expect(sockets.map(({ url, protocols }) => [url, protocols])).toEqual([
    ["ws://engine.test/v1/executions/exe_1/live", ["escapement.v1", "key.esk_1", "tenant.acme"]],
  ]);
});

test("continues after the given entry", async () => {
  const { client } = engine();
  expect(await take(client.executions.live("exe_1", { after: { seq: 1, n: 0 } }), 2)).toEqual(["k1.1", "k2.0"]);
});

test.each([
  ["the connection was lost", ({ fail }: ReturnType<typeof engine>) => fail()],
  ["its time is over", ({ close }: ReturnType<typeof engine>) => close(4408)],
])("if %s, it reads the missed entries from the last page and connects again", async (_what, end) => {
  fakeTimers();
  const here = engine();
  const entries = here.client.executions.live("exe_1");
  await take(entries, 3);
  here.journal.push(entry(3));
  end(here);
  const next = take(entries, 1);
  await vi.advanceTimersByTimeAsync(500);
  expect(await next).toEqual(["k3.0"]);
  expect([here.sockets.length, here.reads]).toEqual([2, ["0", "2", "2"]]);
});

test("the pause before a new connection grows while nothing arrives", async () => {
  fakeTimers();
  const here = engine();
  const entries = here.client.executions.live("exe_1");
  await take(entries, 3);
  const waiting = entries.next();
  for (const [ms, count] of [
    [500, 2],
    [1_000, 3],
    [2_000, 4],
  ] as const) {
    here.fail();
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(here.sockets.length).toBe(count - 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(here.sockets.length).toBe(count);
  }
  here.close(4200);
  expect(await waiting).toMatchObject({ done: true });
});

test("a reader that falls behind gets the rest from the journal", async () => {
  fakeTimers();
  const here = engine();
  const entries = here.client.executions.live("exe_1");
  await take(entries, 3);
  for (let seq = 3; seq < 1_100; seq += 1) {
    here.journal.push(entry(seq));
    here.send(entry(seq));
  }
  const rest = take(entries, 1_097);
  await vi.advanceTimersByTimeAsync(500);
  const kinds = await rest;
  expect([kinds[0], kinds.at(-1), new Set(kinds).size]).toEqual(["k3.0", "k1099.0", 1_097]);
});

test("an abort ends it", async () => {
  const here = engine();
  const stopping = new AbortController();
  const entries = here.client.executions.live("exe_1", { signal: stopping.signal });
  await take(entries, 3);
  const waiting = entries.next();
  stopping.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
});

test("a refusal to read the journal is thrown", async () => {
  const socket = new EventTarget();
  queueMicrotask(() => socket.dispatchEvent(new Event("error")));
  const live = createClient({
    baseUrl: "http://engine.test",
    key: "k",
    fetch: async () => new Response("no", { status: 401 }),
    webSocket: () => Object.assign(socket, { close: () => {} }),
  }).executions.live("exe_1");
  await expect(live.next()).rejects.toMatchObject({ status: 401 });
});

test("a runtime without WebSocket is named", async () => {
  vi.stubGlobal("WebSocket", undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { executions } = createClient({ baseUrl: "http://engine.test", key: "k" });
  await expect(executions.live("exe_1").next()).rejects.toThrow(TypeError);
});
