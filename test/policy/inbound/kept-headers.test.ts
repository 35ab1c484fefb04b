// Tests the headers that a mapping sees: none with signatures, credentials or the sender's location.
import { expect, test } from "vitest";
import { keptHeaders } from "#policy/inbound/kept-headers.ts";
import { HOOK_HEADERS_BYTES_MAX } from "#schema/limits/inbound/deliveries.ts";

test("signatures and credentials are left out", () => {
  const names = [
    ...["authorization", "cookie", "x-hub-signature-256", "x-gitlab-token", "x-api-key", "cf-connecting-ip"],
    ...["x-forwarded-for", "x-my-proof", "x-github-event"],
  ];
  const headers = new Map(names.map((name) => [name, "v"]));
  expect(keptHeaders(headers, { scheme: "none" })).toEqual({ "x-my-proof": "v", "x-github-event": "v" });
  expect(keptHeaders(headers, { scheme: "token", header: "X-My-Proof", secret: "s" })).toEqual({
    "x-github-event": "v",
  });
});

test("headers beyond the size limit are left out", () => {
  const headers = new Map([
    ["a", "x"],
    ["b", "y".repeat(HOOK_HEADERS_BYTES_MAX)],
    ["c", "z"],
  ]);
  expect(keptHeaders(headers, { scheme: "none" })).toEqual({ a: "x" });
});
