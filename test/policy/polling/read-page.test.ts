import { describe, expect, it } from "vitest";
import { readPage, type PageAnswer } from "#policy/polling/read-page.ts";
import { pollSettings } from "#schema/inbound/poll.ts";
import type { Json } from "#schema/json.ts";

const URL_OF_FIRST = "https://api.example.com/orders?limit=2";
const settings = (over: object = {}) =>
  pollSettings.parse({ request: { url: URL_OF_FIRST }, every: "PT5M", items: "/data", id: "/id", ...over });
const answer = (data: Json, over: Partial<PageAnswer> = {}): PageAnswer => ({
  url: URL_OF_FIRST,
  cursor: null,
  headers: {},
  data,
  ...over,
});
const list = (more: object = {}): Json => ({ data: [{ id: "a" }], ...more });

describe("the items of a page", () => {
  it("have texts or whole numbers as ids", () => {
    const read = readPage(settings(), answer({ data: [{ id: "a" }, { id: 7 }] }));
    expect(read).toMatchObject({ ok: true, value: { items: [{ id: "a" }, { id: "7" }], next: null } });
  });

  it.each([
    ["none", {}, "id_missing"],
    ["an empty text", { id: "" }, "id_missing"],
    ["a number that cannot be stored exactly", { id: 2 ** 60 }, "id_not_exact"],
  ])("with the id %s are returned with their trouble", (_what, poisoned, code) => {
    const read = readPage(settings(), answer({ data: [{ id: "a" }, poisoned] }));
    expect(read).toMatchObject({ ok: true, value: { items: [{ id: "a" }, { id: null, trouble: { code } }] } });
  });

  it.each([
    ["no list", { orders: [] }, {}, "items_missing"],
    ["no list at the root", { data: [] }, { items: "" }, "items_missing"],
    ["no id in any item", { data: [{ key: 1 }] }, {}, "id_missing"],
    ["no id because the item is the id", { data: [{}] }, { id: "" }, "id_missing"],
    ["too many items", { data: Array.from({ length: 5_001 }, (_, id) => ({ id })) }, {}, "page_too_long"],
  ])("cannot be read if there is %s", (_what, data, over, code) => {
    expect(readPage(settings(over), answer(data))).toMatchObject({ ok: false, trouble: { code } });
  });

  it("have no ids if no pointer is configured", () => {
    const unsaid = { ...settings(), id: undefined };
    expect(readPage(unsaid, answer({ data: [{ id: "a" }] }))).toMatchObject({ trouble: { code: "id_missing" } });
  });

  it("are one if the whole response is the item, and its validator is required", () => {
    const whole = settings({ change: "etag", id: undefined, items: "" });
    const told = readPage(whole, answer({ rate: 1 }, { headers: { etag: '"v1"' } }));
    expect(told).toMatchObject({ ok: true, value: { items: [{ body: { rate: 1 } }], validators: { etag: '"v1"' } } });
    const dated = readPage(whole, answer({ rate: 1 }, { headers: { "last-modified": "Thu" } }));
    expect(dated).toMatchObject({ ok: true, value: { validators: { etag: null, lastModified: "Thu" } } });
    expect(readPage(whole, answer({}))).toMatchObject({ ok: false, trouble: { code: "validator_missing" } });
    const deeper = settings({ change: "etag", id: undefined, items: "/rates" });
    expect(readPage(deeper, answer({}))).toMatchObject({ ok: false, trouble: { code: "items_missing" } });
  });
});

describe("the next page", () => {
  const next = (paging: object, given: PageAnswer) => {
    const read = readPage(settings({ paging }), given);
    return read.ok ? read.value.next : read.trouble.code;
  };

  it.each<[string, string, unknown]>([
    ["its address", '<https://api.example.com/orders?page=2>; rel="next"', "https://api.example.com/orders?page=2"],
    ["among others", '</o?p=1,2>; rel="prev", </o?p=3>; title="x"; rel=next', "https://api.example.com/o?p=3"],
    ["several rel values", '</o?p=3>; rel="last next"', "https://api.example.com/o?p=3"],
    ["nothing", '</o?p=1>; rel="prev"', null],
    ["no name", "</o?p=1>", null],
  ])("is read from the Link header: %s", (_what, link, at) => {
    expect(next({ by: "link" }, answer(list(), { headers: { link } }))).toEqual(at && { by: "url", at });
  });

  it.each<[string, Json, unknown]>([
    ["an address", "https://api.example.com/b", { by: "url", at: "https://api.example.com/b" }],
    ["a relative URL", "/b?after=1", { by: "url", at: "https://api.example.com/b?after=1" }],
    ["another host", "https://evil.example.com/b", "next_page_other_host"],
    ["no next link", "https://[", "cursor_unreadable"],
    ["too long", `/${"x".repeat(3_000)}`, "cursor_unreadable"],
    ["empty", "", null],
    ["null", null, null],
  ])("is the URL in the body: %s", (_what, at, said) => {
    expect(next({ by: "url", path: "/next" }, answer(list({ next: at })))).toEqual(said);
  });

  it.each<[string, Json, unknown]>([
    ["a text", "c2", { by: "value", at: "c2" }],
    ["a number", 2, { by: "value", at: "2" }],
    ["an object", {}, "cursor_unreadable"],
    ["true", true, "cursor_unreadable"],
    ["too long", "x".repeat(3_000), "cursor_unreadable"],
    ["false", false, null],
    ["null", null, null],
    ["empty", "", null],
  ])("is the cursor in the body: %s", (_what, at, said) => {
    expect(next({ by: "cursor", path: "/next", query: "after" }, answer(list({ next: at })))).toEqual(said);
  });

  it("is absent if the body has no cursor and no header has a link", () => {
    expect(next({ by: "link" }, answer(list()))).toBeNull();
    expect(next({ by: "cursor", path: "/next", query: "after" }, answer(list()))).toBeNull();
  });

  it("has the next number while there are items", () => {
    const paging = { by: "page", query: "page" };
    expect(next(paging, answer(list()))).toEqual({ by: "value", at: "2" });
    expect(next(paging, answer(list(), { cursor: { by: "value", at: "7" } }))).toEqual({ by: "value", at: "8" });
    expect(next(paging, answer({ data: [] }))).toBeNull();
  });
});

describe("the settings of a poller", () => {
  it.each([
    ["id", {}],
    ["id", { change: "etag", id: "/id" }],
    ["paging", { change: "etag", paging: { by: "link" } }],
    ["resume", { id: "/id", resume: "cursor" }],
    ["resume", { id: "/id", resume: "cursor", paging: { by: "page", query: "p" } }],
    ["resume", { id: "/id", resume: "cursor", order: "newest_first", paging: { by: "link" } }],
  ])("are refused if %s does not fit: %o", (field, over) => {
    const parsed = pollSettings.safeParse({ request: { url: URL_OF_FIRST }, every: 60_000, ...over });
    expect(parsed.error?.issues.map(({ path }) => path[0])).toContain(field);
  });
});
