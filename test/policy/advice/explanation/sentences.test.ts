// Tests the sentences about waits: which values they name, and which requests resolve the wait.
import { describe, expect, test } from "vitest";
import { addSentences } from "#policy/advice/explanation/sentences.ts";
import type { Explanation, Wait } from "#schema/engine/explanation.ts";
import type { PendingLimit } from "#schema/explanation/pending-limits.ts";
import { naming, notNaming } from "#test/support/matchers/naming.ts";
import { empty, no } from "./sentences-of.ts";
import { runWait, until, waitCases } from "./wait-cases.ts";

const told = (wait: Wait, part: Partial<Explanation> = {}) =>
  addSentences({ ...empty, waits: [wait], ...part }).waits[0];
const says = (wait: Wait, part: Partial<Explanation> = {}) => told(wait, part)?.says;

describe("waits", () => {
  test.each(Object.entries(waitCases))("%s", (_what, cases) => {
    for (const [wait, named, can, part] of cases) {
      const said = told(wait, part);
      expect(said?.says, JSON.stringify(wait)).toEqual(naming(...named));
      if (can) expect(said?.can.map(({ method, path }) => `${method} ${path}`)).toEqual(can);
    }
  });

  test("a limit that admits everything gets no sentence", () => {
    const on = (...meets: readonly PendingLimit[]) => says({ ...runWait, meets });
    expect(on({ limit: "window", window: "office", would: "pass", until: null })).toBe(on());
    expect(on({ limit: "window", window: "office", would: "hold", until })).not.toBe(on());
  });

  test("unknown dates, keys, reasons, gates and states are left out of the sentence", () => {
    expect(says({ ...runWait, until: null })).toEqual(notNaming("null", "2026"));
    expect(says({ for: "directory", key: null, until })).toEqual(notNaming("null"));
    expect(says({ for: "resume", since: until, reason: null, error: null, until: null })).toEqual(notNaming("null"));
    const parting = { for: "children", run: "3.0", action: "begin", execution: null, until } as const;
    expect(says({ ...parting, how: "awaited" })).toEqual(notNaming("null"));
  });

  test("a wait that depends on a resume of the execution or the tenant says so", () => {
    const paused = says({ ...runWait, conditions: [no] }, { status: "paused" });
    const suspended = says(runWait, { waits: [runWait, { for: "tenant", until: null }] });
    expect(new Set([says(runWait), paused, suspended]).size).toBe(3);
  });
});
