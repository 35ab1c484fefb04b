// What is shown of a config: its credentials are blotted out wherever they stand.
import { describe, expect, it } from "vitest";
import { redact, redactWritten } from "#wire/redact.ts";

const X = "[redacted]";

describe("redact", () => {
  it.each([
    ["https://ada:pa@ss@x.com/a?api_key=k1&q=1#f", `https://${X}@x.com/a?api_key=${X}&q=1#f`],
    ["https://x.com/?q=1&access_token=t&sig=s&code=c", `https://x.com/?q=1&access_token=${X}&sig=${X}&code=${X}`],
    ["https://x.com/?sort_key=a&apikey=", "https://x.com/?sort_key=a&apikey="],
    ["https://x.com/a@b", "https://x.com/a@b"],
    ["https://x.com/?token={{ secrets.t }}", "https://x.com/?token={{ secrets.t }}"],
    ["mail ada@x.com?token=t", "mail ada@x.com?token=t"],
  ])("shows %j as %j", (url, shown) => {
    expect(redact({ url, more: [{ url }] })).toEqual({ url: shown, more: [{ url: shown }] });
  });

  it("blots out fields with a credential's name", () => {
    const headers = { "X-Api-Key": "a", "X-Key": "b", auth: "c", password: 5, author: "ada", key: "o-17" };
    const shown = { "X-Api-Key": X, "X-Key": X, auth: X, password: X, author: "ada", key: "o-17" };
    expect(redact({ headers })).toEqual({ headers: shown });
    const slot = { $secret: ["https://x.com/?api_key=", { name: "k" }] };
    expect(redact({ url: slot })).toEqual({ url: slot });
    const open = { $secret: ["https://x.com/", { name: "k" }, "?token=t"] };
    expect(redact({ url: open })).toEqual({ url: { $secret: ["https://x.com/", { name: "k" }, `?token=${X}`] } });
    expect(redact({ text: { $secret: [{ name: "k" }, "?token=t"] } })).toEqual({
      text: { $secret: [{ name: "k" }, "?token=t"] },
    });
  });

  it("blots out credentials at every depth: in lists, in objects, and written as a name and a value", () => {
    expect(
      redact({
        passwords: ["a", ["b"], { first: "c", isOld: true, at: null }],
        credentials: { user: "ada", pin: 4711, tokenId: "t-1", key: { $secret: [{ name: "k" }] } },
        headers: [
          { name: "Authorization", value: "Bearer t" },
          { key: "X-Api-Key", value: ["k"] },
          { name: "to", value: "a" },
        ],
        pairs: [
          ["Cookie", "a=b"],
          ["to", "ada"],
          ["token", { a: "b" }],
        ],
        list: [[{ deep: { apiKey: "k" } }]],
        scopes: ["token", "password"],
        form: [{ name: "Say your password", value: "no" }],
      }),
    ).toEqual({
      passwords: [X, [X], { first: X, isOld: true, at: null }],
      credentials: { user: X, pin: X, tokenId: "t-1", key: { $secret: [{ name: "k" }] } },
      headers: [
        { name: "Authorization", value: X },
        { key: "X-Api-Key", value: [X] },
        { name: "to", value: "a" },
      ],
      pairs: [
        ["Cookie", X],
        ["to", "ada"],
        ["token", { a: X }],
      ],
      list: [[{ deep: { apiKey: X } }]],
      scopes: ["token", "password"],
      form: [{ name: "Say your password", value: "no" }],
    });
  });

  it("shows what only says which: the id of a token, the name of a secret, the address of either", () => {
    const shown = {
      tokenId: "42",
      token_id: 42,
      tokenIds: [1, 2],
      secretName: "crm",
      tokenURI: "ipfs://a",
      tokenType: "x",
    };
    expect(redact(shown)).toEqual(shown);
    expect(redact({ tokenUrl: "https://x.com/?token=t" })).toEqual({ tokenUrl: `https://x.com/?token=${X}` });
    expect(redact({ tokenid: "42", myTokenIdea: "a" })).toEqual({ tokenid: X, myTokenIdea: X });
  });

  it("takes no longer for an address that was made for it", () => {
    const url = `https://x.com/${"?&".repeat(100_000)}${"?a".repeat(100_000)}`;
    expect(redact({ url })).toEqual({ url });
  });
});

describe("redactWritten", () => {
  it("shows the secrets that are named, and no credential that is written out", () => {
    const named = { Authorization: "Bearer {{ secrets.t }}", "X-Token": "abc" };
    const url = "https://x.com/?token=abc&k={{ secrets.k }}";
    expect(redactWritten({ url, headers: named, to: ["a@b.ch"] })).toEqual({
      url: `https://x.com/?token=${X}&k={{ secrets.k }}`,
      headers: { ...named, "X-Token": X },
      to: ["a@b.ch"],
    });
  });

  it("does so at every depth", () => {
    const named = [{ name: "Authorization", value: "Bearer {{ secrets.t }}" }, ["token", "{{ secrets.t }}"]];
    const tokens = ["{{ secrets.t }}", "abc"];
    expect(redactWritten({ named, tokens })).toEqual({ named, tokens: [tokens[0], X] });
  });
});
