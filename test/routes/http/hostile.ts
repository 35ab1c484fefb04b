// Hostile requests: malformed on purpose, by a seed. The same seed makes the same requests.
import type { Chance } from "#test/sim/kit/chance.ts";
import { bodyOf, type endpoints } from "#test/support/endpoints.ts";

export type Hostile = {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly raw: string | Uint8Array<ArrayBuffer> | null;
  /** true: a server that accepts this body would store something other than what was sent. */
  readonly isLossy: boolean;
};
type Some<T> = readonly [T, ...T[]];
type Endpoint = (typeof endpoints)[number];
const TEXTS: Some<string> = [
  "",
  " ",
  "\u0000",
  "\u202e\u2066reversed",
  "'; DROP TABLE executions; --",
  "{{ secrets.crm_api_token }}",
  "{% include 'x' %}{{",
  "${7*7}",
  "../../etc/passwd",
  "__proto__",
  "constructor",
  "NaN",
  "-0",
  "1e999",
  "9".repeat(400),
  "😀".repeat(300),
  "é".repeat(5_000),
  "a".repeat(70_000),
  "2026-02-30T25:61:00Z",
  "P1Y2M3W4DT5H6M7.8S9",
  "*/0 * * * *",
  "exe_",
  "exe_1.2.3/../..",
  "task/forged",
  "http://169.254.169.254/latest/meta-data",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "null",
  "[object Object]",
];
const VALUES: Some<unknown> = [
  null,
  true,
  0,
  -1,
  1.5,
  -1e308,
  Number.MAX_SAFE_INTEGER,
  [],
  {},
  [[[[[]]]]],
  { __proto__: null },
  { var: "execution.variables" },
  { "": { "": "" } },
  Array.from({ length: 2_000 }, (_, n) => n),
  ...TEXTS,
];
const RAW: Some<string> = [
  "",
  "null",
  "[]",
  '"text"',
  "0",
  "{",
  '{"a":1,"a":2}',
  '{"__proto__":{"isAdmin":true}}',
  '{"definition":"order","variables":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
  '{"n":123456789012345678901234567890}',
  '{"n":1e999}',
  '{"s":"\\ud800"}',
  "\ufeff{}",
  "{}\u0000",
  `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
  `{"a":"${"x".repeat(1_100_000)}"}`,
  "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>",
  "a=1&b=2",
];
/** Numbers that lose precision, and strings that are not valid Unicode. */
const LOSSY: Some<string> = [
  "9007199254740993",
  "-9007199254740993",
  "9007199254740993.0",
  "9007199254740993e0",
  "90071992547409930E-1",
  "123456789012345678901234567890",
  "1e999",
  "-1e400",
  "1e-400",
  "9".repeat(400),
  '"\\ud800"',
  '["\\udc00\\ud800"]',
  '{"a":1,"a":2}',
  '{"a":1,"\\u0061":1}',
  '{"__proto__":{"polluted":1}}',
];
const HEADERS: Some<Record<string, string>> = [
  { "Content-Type": "text/plain" },
  { "Content-Type": "application/json; charset=utf-16" },
  { "Content-Type": "multipart/form-data; boundary=x" },
  { "Content-Encoding": "gzip" },
  { "Idempotency-Key": "x".repeat(201) },
  { "Idempotency-Key": "run:exe_1/1.0" },
  { "If-Match": "*" },
  { "X-Tenant": "__proto__" },
  { "X-Tenant": "other" },
  { "X-Request-Id": "<script>" },
  { Origin: "https://evil.example.com" },
  { Authorization: "Basic cm9vdDpyb290" },
  { Authorization: "Bearer constructor" },
  { Upgrade: "websocket" },
  { "X-HTTP-Method-Override": "DELETE" },
  { Accept: "application/xml" },
  { "Content-Length": "5" },
];
const QUERIES: Some<string> = [
  "?limit=-1",
  "?limit=1e9",
  "?limit=5&limit=7",
  "?limit[]=5",
  "?cursor=e30=",
  "?cursor=WzEsMl0",
  "?cursor=%00",
  "?dryRun=maybe",
  "?dryRun=true&dryRun=false",
  "?status=completed&status=failed",
  "?createdAfter=99999999999999999",
  "?__proto__=1",
  "?=&&=",
  "?%FF=%FE",
  `?x=${"y".repeat(3_000)}`,
];
const METHODS: Some<string> = ["GET", "PUT", "DELETE", "PATCH", "POST", "HEAD", "OPTIONS"];
const SEGMENTS: Some<string> = [
  "%00",
  "%FF",
  "%2e%2e%2f",
  "..",
  "exe_",
  "exe_%F0%9F%98%80",
  "a b",
  "{id}",
  "*",
  "x".repeat(3_000),
  "-1",
  "@2",
  "order@99999999999",
];

/** Changes one part of a valid request, sometimes two, so that the checks behind the first one are reached too. */
export function hostileOf(chance: Chance, endpoint: Endpoint, addressOf: (path: string) => string): Hostile {
  const takesBody = /^(POST|PUT|PATCH)$/.test(endpoint.method);
  const main = chance.pick(
    takesBody ? ["body", "body", "body", "address", "query", "headers"] : ["address", "query", "headers"],
  );
  const isSpoiled = (part: string): boolean => main === part || chance.yes(0.1);
  const path = isSpoiled("address") ? spoiled(chance, endpoint.path, addressOf) : addressOf(endpoint.path);
  const query = isSpoiled("query") ? chance.pick(QUERIES) : "";
  const method = chance.yes(0.03) ? chance.pick(METHODS) : endpoint.method;
  const own = isSpoiled("headers") ? chance.pick(HEADERS) : {};
  const headers = { ...(takesBody ? { "Content-Type": "application/json" } : {}), ...own };
  const request = { method, path: path + query, headers };
  if (!takesBody || method === "GET" || method === "HEAD") return { ...request, raw: null, isLossy: false };
  const { raw, isLossy } = isSpoiled("body") ? spoiledBody(chance, endpoint) : sound(JSON.stringify(bodyOf(endpoint)));
  // With another method the bytes are not a body.
  return { ...request, raw, isLossy: isLossy && /^(POST|PUT|PATCH)$/.test(method) };
}

type Body = Pick<Hostile, "isLossy"> & { readonly raw: string | Uint8Array<ArrayBuffer> };

function sound(raw: Body["raw"]): Body {
  return { raw, isLossy: false };
}

function lossy(raw: Body["raw"]): Body {
  return { raw, isLossy: true };
}

function spoiled(chance: Chance, path: string, addressOf: (path: string) => string): string {
  if (!path.includes("{")) return `${path}/${chance.pick(SEGMENTS)}`;
  return addressOf(path.replace(/\{\w+\}/, () => chance.pick(SEGMENTS)));
}

function spoiledBody(chance: Chance, endpoint: Endpoint): Body {
  const way = chance.between(0, 8);
  if (way === 0) return sound(chance.pick(RAW));
  const body: unknown = structuredClone(bodyOf(endpoint));
  if (way === 1) return lossy(withLiteral(chance, body));
  const text = JSON.stringify(body);
  if (way === 2) return lossy(text === "{}" ? '{"twice":1,"twice":1}' : `{"twice":1,"twice":1,${text.slice(1)}`);
  const bytes = new TextEncoder().encode(text);
  const at = chance.between(0, bytes.length - 1);
  // UTF-8 contains no byte 0xff.
  if (way === 3) return lossy(Uint8Array.from([...bytes.slice(0, at), 0xff, ...bytes.slice(at)]));
  if (way === 4) return sound(Uint8Array.from(bytes, (byte, n) => (n === at ? chance.between(0, 255) : byte)));
  for (let n = 0; n <= chance.between(0, 1); n++) spoil(chance, body);
  return sound(JSON.stringify(body));
}

/** Replaces a value inside the body by a literal that no JavaScript value is written as. */
function withLiteral(chance: Chance, body: unknown): string {
  const here = "\u0001here\u0001";
  let holder = body as Record<string, unknown>; // an array has names, too
  for (;;) {
    const names = Object.keys(holder);
    const name = names.length === 0 ? "added" : chance.pick(names as [string, ...string[]]);
    const inner = holder[name];
    if (typeof inner === "object" && inner !== null && chance.yes(2 / 3)) {
      holder = inner as typeof holder;
      continue;
    }
    holder[name] = here;
    return JSON.stringify(body).replace(JSON.stringify(here), chance.pick(LOSSY));
  }
}

/** Changes one value or name inside the body, adds one, or removes one. */
function spoil(chance: Chance, within: unknown): void {
  if (typeof within !== "object" || within === null) return;
  const names = Object.keys(within);
  const name = names.length === 0 ? "added" : chance.pick(names as [string, ...string[]]);
  const holder = within as Record<string, unknown>; // an array has names, too
  const inner = holder[name];
  if (typeof inner === "object" && inner !== null && chance.yes(1 / 2)) return spoil(chance, inner);
  switch (chance.between(0, 3)) {
    case 0:
      holder[chance.pick(TEXTS)] = structuredClone(chance.pick(VALUES));
      return;
    case 1:
      Reflect.deleteProperty(holder, name);
      return;
    case 2:
      holder[`${name}x`] = inner;
      return;
    case 3:
      holder[name] = structuredClone(chance.pick(VALUES));
      return;
  }
}
