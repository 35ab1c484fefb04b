// Tests the sandbox's lists with the code that reads the pages of real providers.
import { expect, it } from "vitest";
import { pageReader } from "#runners/http/read-page.ts";
import { runWith } from "#runners/run.ts";
import { ticketFor, world } from "../runners/world.ts";
import { SANDBOX, sandboxed } from "./sandboxed.ts";

const { server, script } = sandboxed();

const put = (body: object) => server.fetch("/lists/orders", { method: "POST", body: JSON.stringify(body) });

async function read(query: object, etag: string | null = null, list = "orders") {
  const config = { request: { url: `${SANDBOX}/lists/${list}`, query: { limit: 2, ...query } }, page: null, etag };
  const fetch = async (url: string, init: RequestInit) => {
    const { pathname, search } = new URL(url);
    const headers = Object.fromEntries(new Headers(init.headers));
    // the harness returns undici's Response, which has the same values
    return (await server.fetch(pathname + search, { headers } as object)) as unknown as Response;
  };
  const ticket = ticketFor("page", { ...config, lastModified: null }, { deadlineAt: Date.now() + 60_000 });
  const surroundings = { ...world(() => new Response()), fetch, allowLoopback: true, now: () => Date.now() };
  return runWith(pageReader, ticket, surroundings);
}

it("return appended items page by page, in either order", async () => {
  for (const total of [1, 2, 3]) expect((await put({ total })).status).toBe(201);
  const first = await read({});
  expect(first).toMatchObject({ ok: true, result: { status: 200, data: { data: [{ total: 1 }, { total: 2 }] } } });
  const { next } = (first as unknown as { result: { data: { next: string } } }).result.data; // the assertion above has checked this
  expect(await read({ after: next })).toMatchObject({ result: { data: { data: [{ total: 3 }], next: null } } });
  expect(await read({ order: "newest" })).toMatchObject({ result: { data: { data: [{ total: 3 }, { total: 2 }] } } });
});

it("answer 304 until an item is appended", async () => {
  const first = await read({ order: "newest" });
  const { etag } = (first as unknown as { result: { headers: { etag: string } } }).result.headers; // the assertion above has checked this
  expect(await read({ order: "newest" }, etag)).toMatchObject({ ok: true, result: { status: 304, data: null } });
  await put({ total: 4 });
  expect(await read({ order: "newest" }, etag)).toMatchObject({ result: { status: 200 } });
});

it("can be scripted to fail", async () => {
  await script("/lists/away", [{ status: 503 }]);
  expect(await read({}, null, "away")).toMatchObject({
    ok: false,
    error: { type: "service_unavailable", retryable: true },
  });
  const request = { url: `${SANDBOX}/lists/orders` };
  const config = { request, page: "https://elsewhere.example.com/", etag: null, lastModified: null };
  const ticket = ticketFor("page", config, { deadlineAt: Date.now() + 60_000 });
  const outcome = await runWith(pageReader, ticket, {
    ...world(() => new Response()),
    allowLoopback: true,
    now: Date.now,
  });
  expect(outcome).toMatchObject({ ok: false, error: { code: "egress_refused" } });
});
