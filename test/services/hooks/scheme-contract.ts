// The contract of verification schemes: called for each scheme with messages that the provider's own library made, or that
// the provider has published.
import { describe, expect, it, test } from "vitest";
import { utf8 } from "#policy/inbound/bytes.ts";
import { claimOf } from "#policy/inbound/registry.ts";
import type { Verification } from "#schema/inbound/verification.ts";
import { isVerified } from "#services/hooks/verify-hook.ts";

export type Sent = { readonly body: string; readonly headers: Readonly<Record<string, string>>; readonly url?: string };

export type SchemeContract = {
  readonly settings: Verification;
  /** As it is stored. */
  readonly key: string;
  readonly otherKey: string;
  /** When it was signed, and with which key: the provider's own way. */
  readonly send: (key: string, at: number) => Sent | Promise<Sent>;
  /** Whether a time is signed. */
  readonly isTimed: boolean;
  /** Without a signature there is nothing to change. */
  readonly isUnsigned?: true;
};

export const AT = Date.UTC(2026, 10, 18, 10);
const MINUTE = 60_000;

export async function believed(
  settings: Verification,
  sent: Sent,
  keys: readonly string[],
  now = AT,
): Promise<boolean> {
  const headers = new Map(Object.entries(sent.headers).map(([name, value]) => [name.toLowerCase(), value]));
  const request = { method: "POST", url: sent.url ?? "https://hooks.example/hooks/t", headers, body: utf8(sent.body) };
  const claimed = claimOf(request, settings);
  return claimed !== null && isVerified(claimed, request.body, keys, now);
}

export function schemeContract(name: string, contract: SchemeContract): void {
  const { settings, key, otherKey, send } = contract;
  describe(`${name} passes the contract of schemes`, () => {
    it("verifies a request that its sender signed with any of the stored keys", async () => {
      const sent = await send(key, AT);
      expect(await believed(settings, sent, [key])).toBe(true);
      expect(await believed(settings, sent, [otherKey, key])).toBe(true);
    });
    if (contract.isUnsigned === true) return;

    it("refuses a request signed with another key, or with none", async () => {
      const sent = await send(otherKey, AT);
      expect(await believed(settings, sent, [key])).toBe(false);
      expect(await believed(settings, sent, [])).toBe(false);
    });

    it("refuses a body that was not signed", async () => {
      const sent = await send(key, AT);
      expect(await believed(settings, { ...sent, body: `${sent.body} ` }, [key])).toBe(false);
      expect(await believed(settings, { ...sent, body: "" }, [key])).toBe(false);
    });

    it("refuses a request without its signed parts", async () => {
      const { body, headers } = await send(key, AT);
      for (const name of Object.keys(headers).filter((each) => each.toLowerCase() !== "content-type")) {
        const { [name]: _left, ...rest } = headers;
        const isPart = !/(?:-id|-delivery)$/i.test(name) || settings.scheme === "standard_webhooks";
        if (isPart) expect(await believed(settings, { body, headers: rest }, [key]), name).toBe(false);
      }
      expect(await believed(settings, { body, headers: {} }, [key])).toBe(false);
    });

    test.each([
      [-6, false],
      [-4, true],
      [4, true],
      [6, false],
    ])("signed %d minutes from now it is fresh: %s, where a time is signed", async (minutes, isFresh) => {
      const sent = await send(key, AT + minutes * MINUTE);
      expect(await believed(settings, sent, [key])).toBe(isFresh || !contract.isTimed);
    });
  });
}
