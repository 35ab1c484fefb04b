// Diffs of two versions of a definition over HTTP.
import { describe, expect, test } from "vitest";
import { must, type Answer, type Parsed } from "#test/support/api.ts";
import { keeper, order } from "./publisher.ts";

describe("a diff", () => {
  const said = async (read: (path: string) => Promise<Answer>, query = "", name = "order") => {
    const { body } = await must(200, read(`/v1/definitions/${name}/diff${query}`));
    return [
      `${body.from.version} to ${body.to.version}`,
      ...body.data.map(({ kind, what }: Parsed) => `${kind} ${what}`),
    ];
  };

  test("compares the newest draft with the published version by default", async () => {
    const { create, draft, read } = await keeper();
    await create(order());
    await draft(order({ concurrency: 2, states: { ...order().states, open: { on: { paid: "late" } }, late: {} } }));
    const { body } = await must(200, read("/v1/definitions/order/diff"));
    expect(body).toMatchObject({
      from: { version: 1, standing: "published" },
      to: { version: 2, standing: "draft" },
      same: false,
      total: 3,
      counts: { added: 2, removed: 0, changed: 1, reordered: 0 },
      nextCursor: null,
    });
    expect(body.data[0]).toEqual({
      kind: "changed",
      part: { kind: "state", name: "open" },
      what: "state open > on > paid > target",
      aspect: "flow",
      fromPointer: "/states/open/on/paid",
      pointer: "/states/open/on/paid",
      was: "done",
      is: "late",
      leftOut: [],
    });
    expect(body.data.slice(1).map(({ what }: Parsed) => what)).toEqual(["state late", "definition > concurrency"]);
  });

  test("compares with the previous publication without a draft, or the named versions", async () => {
    const { create, read } = await keeper();
    await create(order());
    const first = await must(200, read("/v1/definitions/order/diff"));
    expect(first.body).toMatchObject({ from: { version: 1 }, to: { version: 1 }, same: true, total: 0, data: [] });
    const none = await must(404, read("/v1/definitions/order/diff?from=before"));
    expect(none.body).toMatchObject({ code: "not_found", errors: [{ pointer: "?from" }] });
    for (const concurrency of [2, 3]) await create(order({ concurrency }));
    const change = "changed definition > concurrency";
    expect(await said(read)).toEqual(["2 to 3", change]);
    expect(await said(read, "?from=1")).toEqual(["1 to 3", "added definition > concurrency"]);
    expect(await said(read, "?from=3&to=2")).toEqual(["3 to 2", change]);
    expect(await said(read, "?to=before")).toEqual(["3 to 2", change]);
    expect(await said(read, "", "order@1")).toEqual(["3 to 1", "removed definition > concurrency"]);
    expect(await said(read, "?from=published&to=published")).toEqual(["3 to 3"]);
    await must(404, read("/v1/definitions/order/diff?to=draft"));
    await must(404, read("/v1/definitions/order/diff?to=9"));
    await must(404, read("/v1/definitions/other/diff"));
    await must(400, read("/v1/definitions/order/diff?to=newest"));
  });

  test("keeps its versions over all pages, and omits values that are too long", async () => {
    const { create, draft, read } = await keeper();
    await create(order({ variables: { a: 1, b: 1 } }));
    await draft(order({ variables: { a: 2, b: "long ".repeat(2_000) } }));
    const first = await must(200, read("/v1/definitions/order/diff?limit=1"));
    expect(first.body).toMatchObject({ total: 2, data: [{ what: "variable a", was: 1, is: 2 }] });
    await create(order({ concurrency: 9 }));
    const next = await must(200, read(`/v1/definitions/order/diff?limit=1&cursor=${first.body.nextCursor}`));
    expect(next.body).toMatchObject({ from: { version: 1 }, to: { version: 2 }, nextCursor: null });
    expect(next.body.data).toMatchObject([{ what: "variable b", was: 1, is: null, leftOut: ["is"] }]);
  });

  test("accepts an unsaved definition", async () => {
    const { create, post, read } = await keeper();
    const fails = { name: "is done by itself", blocking: true, expect: [{ status: "completed" }] };
    const first = await must(200, post("/v1/definitions/diff?limit=2", { definition: order() }));
    expect(first.body).toMatchObject({ from: null, to: null, counts: { removed: 0, changed: 0, reordered: 0 } });
    const rest = await must(200, post(`/v1/definitions/diff?cursor=${first.body.nextCursor}`, { definition: order() }));
    const told = [...first.body.data, ...rest.body.data].map(({ what }: Parsed) => what);
    expect(told).toEqual(["definition > initial", "state open", "state done"]);
    await must(404, post("/v1/definitions/diff?from=published", { definition: order() }));
    await create(order({ variables: { a: 1, b: 1 } }));
    const definition = order({ variables: { a: 2, b: 2 }, tests: [fails] });
    const { body } = await must(200, post("/v1/definitions/diff?limit=2", { definition }));
    expect(body).toMatchObject({ from: { version: 1 }, to: null, total: 3 });
    expect(body.data.map(({ what }: Parsed) => what)).toEqual(["variable a", "variable b"]);
    const next = await must(200, post(`/v1/definitions/diff?limit=2&cursor=${body.nextCursor}`, { definition }));
    expect(next.body).toMatchObject({ data: [{ what: "test is done by itself" }], nextCursor: null });
    const refused = await must(422, post("/v1/definitions/diff", { definition: order({ initial: "nowhere" }) }));
    expect(refused.body).toMatchObject({ code: "definition_invalid", errors: [{ pointer: "/definition/initial" }] });
    expect((await must(200, read("/v1/definitions/order/versions"))).body.data).toHaveLength(1);
  });

  test("includes the changes of a message template's version", async () => {
    const { create, post, read } = await keeper();
    const template = (subject: string) => ({ name: "late", subject, text: "It is late." });
    const actions = ["a", "b"].map((actionId) => ({
      actionId,
      type: "email",
      triggerState: "done",
      config: { to: "ada@example.com", template: "late" },
    }));
    await must(201, post("/v1/templates", template("Late")));
    await create(order({ actions }));
    await must(201, post("/v1/templates", template("Too late")));
    await create(order({ actions }));
    const { body } = await must(200, read("/v1/definitions/order/diff"));
    expect(body.data.map(({ what, was, is }: Parsed) => [what, was, is])).toEqual([
      ["action a > config > template", "late@1", "late@2"],
      ["template late > subject", "Late", "Too late"],
      ["action b > config > template", "late@1", "late@2"],
    ]);
  });
});
