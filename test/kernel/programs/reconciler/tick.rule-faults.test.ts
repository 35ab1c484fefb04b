// Rules that cannot be evaluated: the reconciler continues.
import { describe, expect, test } from "vitest";
import type { JsonObject } from "#schema/json.ts";
import { second } from "#test/support/drive.ts";
import { go, type Written } from "./drive-reconciler.ts";

const is = (name: string): JsonObject => ({ var: name });

describe("rules that cannot be evaluated", () => {
  const sum = { ">": [{ "+": [is("observed.n"), 1] }, 10] };
  const t = () => go({ states: { A: { rules: [{ when: sum, target: "B" }] }, B: {} } });

  test("change nothing until they can, which is recorded once", () => {
    const it = t();
    it.observe({ n: "many" });
    it.tickAt(second);
    expect(it.reconciling().fault).toMatch(/^\/states\/A\/rules\/0\/when: /);
    it.observe({ n: "more" });
    it.tickAt(2 * second);
    expect(it.entries.filter(({ kind }) => kind === "tick_failed")).toHaveLength(1);
    it.observe({ n: 20 });
    it.tickAt(3 * second);
    expect([it.at, it.reconciling().fault, it.status]).toEqual(["B", null, "waiting"]);
  });

  test("are recorded as working again when they can be evaluated without effect", () => {
    const it = t();
    it.observe({ n: "many" });
    it.tickAt(second);
    it.observe({ n: 1 });
    it.tickAt(2 * second);
    expect(it.reconciling().fault).toBeNull();
  });

  test.each([
    ["a rule's reason", { states: { A: { rules: [{ target: "B", reason: "{{ observed.no.such }}" }] }, B: {} } }],
    ["a state's reason", { states: { A: { rules: [{ target: "B" }] }, B: { reason: "{{ observed.no.such }}" } } }],
    [
      "the reason of a shutdown",
      {
        states: { A: {}, B: {} },
        desired: { shutdownRequested: true },
        onShutdown: { target: "B", reason: "{{ nobody }}" },
      },
    ],
  ])("for %s are recorded in the same way", (_what, written) => {
    const it = go(written as Written);
    it.tickAt(second);
    expect(it.at).toBe("A");
    expect(it.reconciling().fault).toMatch(/reason: /);
  });

  test("refuse the start if the first reason cannot be rendered", () => {
    expect(() => go({ states: { A: { reason: "{{ observed.x }}" } } })).toThrow(/invalid_input.*observed\.x/);
  });

  test("are bounded by what a step may cost", () => {
    const list = Array.from({ length: 1_000 }, (_, n) => n);
    const costly = { some: [is("observed.list"), { some: [is("../../observed.list"), { "==": [is(""), -1] }] }] };
    const it = go({ states: { A: { rules: [{ when: costly, target: "B" }] }, B: {} } });
    it.observe({ list });
    it.tickAt(second);
    expect(it.reconciling().fault).toMatch(/steps|costs/);
    expect(it.status).toBe("waiting");
  });
});
