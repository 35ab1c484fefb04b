// What a receiver of webhooks is, and which hosts a secret's list covers.
import { describe, expect, it } from "vitest";
import { boundElsewhere, secretHosts } from "#schema/outgoing/bound-secret.ts";
import { endpointName, endpointOf, endpointShown } from "#schema/outgoing/signing.ts";

describe("a receiver", () => {
  it.each([
    ["https://crm.example.com/hooks/7?a=1#b", "https://crm.example.com/hooks/7"],
    ["https://CRM.example.com:443/hooks/7", "https://crm.example.com/hooks/7"],
    ["https://crm.example.com/a/../hooks", "https://crm.example.com/hooks"],
    ["https://crm.example.com", "https://crm.example.com/"],
    ["https://crm.example.com:8443/", "https://crm.example.com:8443/"],
  ])("%s is %s", (url, endpoint) => {
    expect(endpointOf(url)).toBe(endpoint);
    expect(endpointName.safeParse(endpoint).success).toBe(false);
  });

  it("is shown by its origin or its name", () => {
    expect(endpointShown("https://crm.example.com/hooks/secret")).toBe("https://crm.example.com/…");
    expect(endpointShown("orders")).toBe("orders");
  });
});

describe("hosts of a secret", () => {
  it.each([
    ["api.example.com", "api.example.com", true],
    ["api.example.com", "api.example.com.", true],
    ["api.example.com", "example.com", false],
    ["api.example.com", "api.example.com.evil.net", false],
    ["api.example.com", "evil-api.example.com", false],
    ["*.example.com", "api.example.com", true],
    ["*.example.com", "a.b.example.com", true],
    ["*.example.com", "example.com", false],
    ["*.example.com", ".example.com", false],
    ["*.example.com", "evilexample.com", false],
    ["*.example.com", "example.com.evil.net", false],
    ["127.0.0.1", "127.0.0.1", true],
    ["[::1]", "[::1]", true],
    ["xn--bcher-kva.example", new URL("https://bücher.example/").hostname, true],
  ])("%s covers %s: %s", (pattern, host, isCovered) => {
    expect(secretHosts.parse([pattern])).toEqual([pattern]);
    expect(boundElsewhere(host, [{ secret: "s", hosts: [pattern] }]) === null).toBe(isCovered);
  });

  it("each secret has its own: all of them must cover a host", () => {
    const [a, b] = [
      { secret: "a", hosts: ["one.example.com", "two.example.com"] },
      { secret: "b", hosts: ["two.example.com"] },
    ];
    expect(boundElsewhere("two.example.com", [a, b])).toBeNull();
    expect(boundElsewhere("one.example.com", [a, b])).toBe(b);
    expect(boundElsewhere("one.example.com", [])).toBeNull();
  });

  it.each([
    [[]],
    [[""]],
    [["API.example.com"]],
    [["https://api.example.com"]],
    [["api.example.com/path"]],
    [["api.example.com:8443"]],
    [["api.example.com."]],
    [["bücher.example"]],
    [["127.1"]],
    [["*"]],
    [["*.com"]],
    [["*.127.0.0.1"]],
    [["a.*.example.com"]],
    [["*.*.example.com"]],
    [["user@example.com"]],
    [["a.example.com", "a.example.com"]],
    [Array.from({ length: 21 }, (_, n) => `h${n}.example.com`)],
  ])("%j is refused", (hosts) => {
    expect(secretHosts.safeParse(hosts).success).toBe(false);
  });
});
