import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactHeader, redactText, redactUrl } from "#runners/core/redact.ts";
import { redactJson, redactValues } from "#runners/core/redact-values.ts";

const X = "[redacted]";

it.each([
  ["https://example.com/a?b=1", "https://example.com/a?b=1"],
  [
    "https://example.com/?access_token=abc&page=2&clientSecret=x",
    `https://example.com/?access_token=${X}&page=2&clientSecret=${X}`,
  ],
  [
    "https://example.com/?key=1&sort_key=name&api%5Fkey=2",
    `https://example.com/?key=${X}&sort_key=name&api%5Fkey=${X}`,
  ],
  ["https://example.com/?X-Amz-Signature=abc&X-Amz-Date=1", `https://example.com/?X-Amz-Signature=${X}&X-Amz-Date=1`],
  ["https://example.com/cb?code=abc&state=s", `https://example.com/cb?code=${X}&state=s`],
  ["https://user:pass@example.com:8443/x", `https://${X}@example.com:8443/x`],
  ["https://example.com/#access_token=abc", "https://example.com/"],
  ["https://example.com/?%E0%A4%A=1&token=%E0%A4%A", `https://example.com/?%E0%A4%A=1&token=${X}`],
  ["not a url with hunter2", X],
])("redactUrl(%s)", (url, redacted) => expect(redactUrl(url)).toBe(redacted));

it("keeps headers without secrets", () => {
  const headers = new Headers({
    Authorization: "Bearer abc",
    "Proxy-Authorization": "x",
    Cookie: "a=b",
    "X-Api-Key": "k",
    "X-Auth-Token": "t",
    "Idempotency-Key": "exe_1/4.0",
    "Content-Type": "application/json",
    "X-Note": "Bearer abcdefgh",
  });
  expect(Object.fromEntries(Array.from(headers, ([name, value]) => [name, redactHeader(name, value)]))).toEqual({
    authorization: X,
    "proxy-authorization": X,
    cookie: X,
    "x-api-key": X,
    "x-auth-token": X,
    "idempotency-key": "exe_1/4.0",
    "content-type": "application/json",
    "x-note": `Bearer ${X}`,
  });
});

describe("redactText", () => {
  it.each([
    ["nothing to see: status 404", "nothing to see: status 404"],
    ['{"code":"invalid_email","field":"to"}', '{"code":"invalid_email","field":"to"}'],
    ["sent Bearer abc.def-ghi to", `sent Bearer ${X} to`],
    ["Authorization: Custom one two\nnext", `Authorization: ${X}\nnext`],
    ["Cookie: a=b; c=d", `Cookie: ${X}`],
    ["at https://user:pa@ss@example.com/x", null],
    ["at https://user:pass@example.com/x", `at https://${X}@example.com/x`],
    ["see https://example.com/x?token=abc&b=1.", `see https://example.com/x?token=${X}&b=1.`],
    ['{"password":"a\\"b","next":1}', `{"password":"${X}","next":1}`],
    ['{\\"password\\":\\"abc\\",\\"n\\":1}', `{\\"password\\":\\"${X}\\",\\"n\\":1}`],
    ['{"token":["a","b"],"n":["c"]}', `{"token":${X},"n":["c"]}`],
    ['{"password": ["cut o', `{"password": ${X}`],
    ['{"tokenId":"42","token_ids":["a"],"tokenUrl":"x"}', '{"tokenId":"42","token_ids":["a"],"tokenUrl":"x"}'],
    ['{"auth":{"user":"u","password":"p"}}', `{"auth":{"user":"u","password":"${X}"}}`],
    ["client_secret = 's e c'", `client_secret = '${X}'`],
    ["apiKey: abc, rest", `apiKey: ${X}, rest`],
    ["jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln end", `jwt ${X} end`],
    ["key whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw!", `key ${X}!`],
    ["key AKIAIOSFODNN7EXAMPLE!", `key ${X}!`],
  ])("%s", (text, redacted) => {
    if (redacted === null) expect(redactText(text)).not.toMatch(/user|pa@/);
    else expect(redactText(text)).toBe(redacted);
  });

  it("is fast for a text that makes backtracking slow", () => {
    for (const text of [
      "a=".repeat(8_192),
      '"token":"'.repeat(2_000),
      "https://".repeat(2_048),
      "eyJaaaaaaaa.".repeat(1_400),
      "\\".repeat(16_384),
    ]) {
      const startedAt = performance.now();
      redactText(text);
      expect(performance.now() - startedAt).toBeLessThan(500);
    }
  });
});

describe("redactValues", () => {
  it.each([
    ["x s3cret y s3cret", ["s3cret"], `x ${X} y ${X}`],
    ["a%2Fb%3D1 and a/b=1", ["a/b=1"], `${X} and ${X}`],
    ['say \\"hi\\" now', ['"hi"'], `say ${X} now`],
    ['{"k":"a\\nbcd"}', ["a\nbcd"], `{"k":"${X}"}`],
    ['say \\\\\\"hi\\\\\\" now', ['"hi"'], `say ${X} now`],
    ["https://x.com/a%20b'c/d?q=a%20b%27c/d", ["a b'c/d"], `https://x.com/${X}?q=${X}`],
    ["token=a+b%27c%2Fd&x=1", ["a b'c/d"], `token=${X}&x=1`],
    ["<p>&lt;a&amp;'b&quot;</p> &lt;a&amp;&#39;b&quot;", ["<a&'b\""], `<p>${X}</p> ${X}`],
    ["stays a/../b", ["/../", "/../../"], `stays a${X}b`],
    ["longer-secret", ["secret", "longer-secret"], X],
    ["no 1 yes", ["1", "no"], "no 1 yes"],
    ["cut off at very-long-sec", ["very-long-secret"], `cut off at ${X}`],
    ["aab aaab ab aa", ["aaab"], `aab ${X} ab aa`],
    ["abcabcabdabcabcab", ["abcabcabd"], `${X}${X}`],
    ["\ud800 stays", ["\ud800abcd"], "\ud800 stays"],
    ["$& stays", ["$&ab"], "$& stays"],
    ["at /e-fghijkl", ["abcd/../e-fghijkl"], `at /e${X}`],
    ["%2Bab%3D and +ab=", ["+ab="], `${X} and ${X}`],
  ])("%j without %j", (text, secrets, clean) => expect(redactValues(text, secrets)).toBe(clean));

  it("finds every spelling of a secret, whatever it begins with", () => {
    const spellings = [
      (secret: string) => secret,
      encodeURIComponent,
      (secret: string) => new URLSearchParams([["", secret]]).toString().slice(1),
      (secret: string) => JSON.stringify(secret).slice(1, -1),
      (secret: string) => new URL(`https://x/-${secret}-`).href.slice("https://x/-".length, -1),
    ];
    const unit = fc.constantFrom(..."abE129_-./\\%2e+=&<>\"' ~,:;?#é€\n");
    const secrets = fc.string({ minLength: 12, maxLength: 24, unit });
    fc.assert(
      fc.property(secrets, fc.constantFrom(...spellings), (secret, spell) => {
        const spelled = spell(secret);
        fc.pre(spelled.length >= 12 && !"[redacted]".includes(spelled));
        expect(redactValues(`from ${spelled} on`, [secret])).not.toContain(spelled);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is fast for a text that resembles the secret", () => {
    const [text, secret] = ["a".repeat(800_000), "a".repeat(100_000)];
    for (const clean of [`${text}c`, `c${text}c`]) {
      expect(redactValues(clean, [`${secret}b`, `b${secret}`])).toBe(clean);
    }
  });

  it("redacts every string and every key of a JSON value", () => {
    const value = { a: ["s3cret", 1, null, true], s3cret: { b: "x s3cret" } };
    expect(redactJson(value, ["s3cret"])).toEqual({ a: [X, 1, null, true], [X]: { b: `x ${X}` } });
  });
});
