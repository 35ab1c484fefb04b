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
});
