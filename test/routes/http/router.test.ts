// The cached router returns the same handlers as Hono's own router.
import { expect, it } from "vitest";
import { openRouter } from "#routes/http/router.ts";

function openSome() {
  const router = openRouter<string>();
  router.add("ALL", "/*", "everywhere");
  router.add("GET", "/v1/actions", "list");
  router.add("POST", "/v1/actions", "dispatch");
  router.add("GET", "/v1/actions/:id", "read");
  router.add("POST", "/v1/actions/batch", "many");
  return router;
}

function handlers(router: ReturnType<typeof openSome>, method: string, path: string): readonly string[] {
  return router.match(method, path)[0].map(([handler]) => handler);
}

it("a path is found by its method, also the second time", () => {
  const router = openSome();
  for (const _ of [1, 2]) {
    expect(handlers(router, "GET", "/v1/actions")).toEqual(["everywhere", "list"]);
    expect(handlers(router, "POST", "/v1/actions")).toEqual(["everywhere", "dispatch"]);
    expect(handlers(router, "GET", "/v1/actions/batch")).toEqual(["everywhere", "read"]);
    expect(handlers(router, "POST", "/v1/actions/batch")).toEqual(["everywhere", "many"]);
    expect(handlers(router, "BREW", "/v1/actions")).toEqual(["everywhere"]);
  }
});

it("parameters of a path differ between requests", () => {
  const router = openSome();
  const idIn = (path: string) => router.match("GET", path)[0].map(([, params]) => params)[1];
  expect(idIn("/v1/actions/one")).toEqual({ id: "one" });
  expect(idIn("/v1/actions/two")).toEqual({ id: "two" });
});

it("a path without parameters is looked up once, others each time", () => {
  const router = openSome();
  expect(router.match("GET", "/v1/actions")).toBe(router.match("GET", "/v1/actions"));
  expect(router.match("GET", "/v1/actions/one")).not.toBe(router.match("GET", "/v1/actions/one"));
  expect(router.match("BREW", "/v1/actions")).not.toBe(router.match("BREW", "/v1/actions"));
});

it("a route that is added later is found", () => {
  const router = openSome();
  handlers(router, "GET", "/v1/actions");
  router.add("GET", "/v1/actions", "later");
  expect(handlers(router, "GET", "/v1/actions")).toEqual(["everywhere", "list", "later"]);
});
