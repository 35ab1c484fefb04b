// The actuator over HTTP: health without a key, and hints for the paths that do not exist.
import { describe, expect, test } from "vitest";
import { api, must } from "#test/support/api.ts";
import { brokenBinding } from "#test/support/catalog.ts";
import { openDb } from "#catalog/db.ts";

describe("the actuator", () => {
  test("is up while the catalog answers, and needs no key", async () => {
    const { ask } = api();
    expect((await must(200, ask("GET", "/actuator/health", { key: null }))).body).toEqual({ status: "UP" });
    const down = api({ db: openDb(brokenBinding) });
    expect((await must(503, down.ask("GET", "/actuator/health", { key: null }))).body).toEqual({ status: "DOWN" });
  });

  test.each([
    ["/actuator/metrics", "/v1/metrics"],
    ["/metrics", "/v1/metrics"],
    ["/actuator/caches", ""],
  ])("names another path in the hint for %s", async (what, path) => {
    const { body } = await must(404, api().ask("GET", what, { key: null }));
    expect(body).toMatchObject({ code: "not_found", hint: expect.stringMatching(/\S/) });
    expect(body.hint).toContain(path);
  });
});
