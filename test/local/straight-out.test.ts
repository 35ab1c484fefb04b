import { expect, it } from "vitest";
import {
  NETWORK_BINDING,
  SANDBOX_BINDING,
  sandboxBindings,
  sendHttpDirectly,
} from "../../scripts/local/straight-out.ts";

function world() {
  const went: string[] = [];
  const way = (name: string) => (input: RequestInfo | URL, init?: RequestInit) => {
    went.push(`${name} ${init?.method ?? "GET"} ${input instanceof Request ? input.url : String(input)}`);
    return Promise.resolve(new Response("ok"));
  };
  const scope = { fetch: way("around") };
  return {
    went,
    scope,
    sandbox: { fetch: way("sandbox") },
    env: { DB: {}, [NETWORK_BINDING]: { fetch: way("straight") } },
  };
}

it("sends plain HTTP calls directly, with all their options", async () => {
  const { went, scope, env } = world();
  sendHttpDirectly(scope, env);
  await scope.fetch("http://127.0.0.1:8788/webhook", { method: "POST" });
  expect(went).toEqual(["straight POST http://127.0.0.1:8788/webhook"]);
});

it("sends calls to the sandbox over its binding, and calls to other ports over the network", async () => {
  const { went, scope, env, sandbox } = world();
  const { bindings } = sandboxBindings("sandbox", 8788);
  sendHttpDirectly(scope, { ...env, ...bindings, [SANDBOX_BINDING]: sandbox });
  for (const host of ["127.0.0.1:8788", "localhost:8788", "127.0.0.1:87889", "example.com"])
    await scope.fetch(`http://${host}/webhook`);
  expect(went).toEqual([
    "sandbox GET http://127.0.0.1:8788/webhook",
    "sandbox GET http://localhost:8788/webhook",
    "straight GET http://127.0.0.1:87889/webhook",
    "straight GET http://example.com/webhook",
  ]);
});

it("sends all other calls through Miniflare", async () => {
  const { went, scope, env } = world();
  sendHttpDirectly(scope, env);
  await scope.fetch("https://example.com/", { method: "PUT" });
  await scope.fetch(new URL("http://example.com/"));
  await scope.fetch(new Request("http://example.com/"));
  expect(went).toEqual([
    "around PUT https://example.com/",
    "around GET http://example.com/",
    "around GET http://example.com/",
  ]);
});

it("changes nothing without the host's binding", () => {
  const { scope } = world();
  const { fetch } = scope;
  sendHttpDirectly(scope, { DB: {} });
  expect(scope.fetch).toBe(fetch);
});
