// Tests of request headers: the result must equal the platform's Headers.
import { expect, it } from "vitest";
import { headersOf, setHeaders } from "#runners/http/request.ts";

function same(own: Readonly<Record<string, string | number | boolean>>): void {
  const theirs = new Headers(Object.entries(own).map(([name, value]) => [name, String(value)]));
  const ours = Object.entries(headersOf(own, {})).map(([name, value]) => [name.toLowerCase(), value]);
  expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(theirs));
}

it.each([
  ["none", {}],
  ["several", { "X-One": "1", "x-two": 2, SOAPAction: true }],
  ["one name in other letters", { "X-Tag": "a", "x-tag": "b", "X-TAG": "c" }],
  ["blanks around", { "X-One": "\t a b ", "X-Two": " \u00a0 " }],
])("equal the platform's headers: %s", (_, own) => same(own));

it("keep the spelling of their names", () => {
  expect(headersOf({ SOAPAction: "x" }, { "Content-Type": "text/xml" })).toEqual({
    SOAPAction: "x",
    "Content-Type": "text/xml",
  });
});

it("of the config override defaults case-insensitively, and null defaults are left out", () => {
  const defaults = { "Content-Type": "application/json", "If-None-Match": null };
  expect(headersOf({ "content-type": "text/plain" }, defaults)).toEqual({ "content-type": "text/plain" });
});

it("that are set replace the same name in another case", () => {
  const headers = headersOf({ AUTHORIZATION: "mine" }, {});
  setHeaders(headers, { Authorization: "theirs", "webhook-id": "1" });
  expect(headers).toEqual({ AUTHORIZATION: "theirs", "webhook-id": "1" });
});
