import { describe, expect, it } from "vitest";
import { recommend } from "#policy/advice/recommend.ts";
import { naming } from "#test/support/matchers/naming.ts";
import { failedOnce, once, rehearsed, rehearsedCases, written } from "./rehearsed-cases.ts";

describe("recommendations", () => {
  it.each(rehearsedCases)("%s", (_what, over, action, codes) => {
    const found = recommend(rehearsed(over, action));
    expect(found.map(({ code }) => code)).toEqual(codes);
    for (const { message, hint } of found) expect([message, hint].every((text) => text.length > 10)).toBe(true);
  });

  it("an action without a timeout is checked with the default timeout", () => {
    const { action, ...rest } = rehearsed({ mockDelaysMs: [29_999] });
    const { timeout: _timeout, ...bare } = action;
    expect(recommend({ ...rest, action: bare })).toEqual([]);
    expect(recommend({ ...rest, action: bare, mockDelaysMs: [30_000] })).toMatchObject([{ code: "timeout_too_short" }]);
  });

  it("messages name the field and the numbers", () => {
    const [failed] = recommend(rehearsed({ ...failedOnce, policy: once }));
    expect(failed).toMatchObject({ code: "becomes_dead_letter", hint: naming("action.notify.failed") });
    const twice = { status: "failed", attempts: [...failedOnce.attempts, ...failedOnce.attempts] } as const;
    expect(recommend(rehearsed(twice))[0]?.message).toEqual(naming(2));
    const [late] = recommend(rehearsed({}, { maxLateness: 2_500 }));
    expect(late?.message).toEqual(naming(3, 3_000, "maxLateness", 2_500));
    const [key] = recommend(rehearsed({}, written({ headers: { "a/b": "sk_live_12345678" } })));
    expect(key?.message).toEqual(naming("/action/config/headers/a~1b"));
  });
});
