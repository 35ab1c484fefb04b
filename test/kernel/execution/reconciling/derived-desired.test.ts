// Fields of the desired state that follow from the variables.
import { describe, expect, test } from "vitest";
import { DESIRED_BYTES_MAX } from "#schema/limits/definition-sizes.ts";
import { reconcilerDefinition } from "#schema/definition/reconciler.ts";
import { compile } from "#kernel/programs/compile.ts";
import { action, ask, driveProgram, second } from "#test/support/drive.ts";
import { verify } from "../../verify/at-once.ts";
import { taken } from "../restart/again.ts";
import { go, reconciler, told, type Written } from "../../programs/reconciler/drive-reconciler.ts";

const written: Written = {
  variables: { plan: "small" },
  desired: { shutdownRequested: false },
  deriveDesired: {
    size: { if: [{ "===": [{ var: "variables.plan" }, "large"] }, 10, 1] },
    region: { var: "execution.variables.region" },
  },
  states: { A: { rules: [{ when: { "!==": [{ var: "desired.size" }, { var: "observed.size" }] }, emit: "scale" }] } },
  actions: [action("scale")],
};
const desiredOf = ({ state: { reconciling } }: Pick<ReturnType<typeof go>, "state">) => [
  reconciling?.desired.value,
  reconciling?.desired.revision,
];

describe("the desired state", () => {
  test("is derived at the start, as a part of the first revision", () => {
    expect(desiredOf(go(written))).toEqual([{ shutdownRequested: false, size: 1 }, 1]);
  });

  test("is derived again when a variable changes, with a new revision and a journal entry", () => {
    const t = go(written).patch({ plan: "large", region: "eu" });
    expect(desiredOf(t)).toEqual([{ shutdownRequested: false, size: 10, region: "eu" }, 2]);
    expect(t.entries.at(-1)).toMatchObject({
      kind: "desired",
      revision: 2,
      actor: { kind: "engine" },
      reason: "derived",
    });
    expect(t.wake).toBe(second);
  });

  test("stays if the derived values are equal", () => {
    const t = go(written).patch({ other: 1 });
    expect(desiredOf(t)[1]).toBe(1);
  });

  test("loses a field whose rule returns null", () => {
    const t = go(written).patch({ region: "eu" }).patch({ region: null });
    expect(desiredOf(t)).toEqual([{ shutdownRequested: false, size: 1 }, 3]);
  });

  test("is derived again by a restart, which passes the whole desired state", () => {
    const t = go(written, { desired: { mode: "fast" } });
    const program = compile(reconciler(written));
    const restart = taken(program, t, { state: "A" });
    const desired = t.state.reconciling?.desired.value ?? {};
    const start = ask.start({ plan: "large" });
    if (start.kind !== "start") throw new Error("ask.start gives a start");
    const next = driveProgram([program, program]).take({ ...start, execution: "exe_2", desired, restart });
    expect(desiredOf(next)).toEqual([{ shutdownRequested: false, mode: "fast", size: 10 }, 1]);
  });

  test("moves the rules", () => {
    const t = go(written).observe({ size: 1 }).tickAt(second);
    expect(t.runs()).toEqual([]);
    t.patch({ plan: "large" }).tickAt(2 * second);
    expect(t.runs()).toEqual(["scale queued"]);
  });
});

describe("a client", () => {
  test("merges other fields, and keeps derived fields when it replaces the desired state", () => {
    const t = go(written).desire({ note: "x" });
    expect(desiredOf(t)).toEqual([{ shutdownRequested: false, size: 1, note: "x" }, 2]);
    t.take(told.desire({ size: 1, shutdownRequested: true }, "replace"));
    expect(desiredOf(t)).toEqual([{ shutdownRequested: true, size: 1 }, 3]);
    t.take(told.desire({}, "replace"));
    expect(desiredOf(t)).toEqual([{ size: 1 }, 4]);
  });

  test.each(["merge", "replace"] as const)("cannot set a derived field (%s)", (mode) => {
    expect(go(written).refused(told.desire({ size: 7 }, mode))).toMatchObject({
      code: "invalid_input",
      errors: [{ pointer: "/desired/size", code: "derived_field" }],
    });
  });

  test("cannot set it at the start", () => {
    expect(() => go(written, { desired: { size: 7 } })).toThrow("derived");
  });
});

describe("a rule that fails", () => {
  const failing: Written = { ...written, deriveDesired: { size: { "+": [{ var: "variables.plan" }, 1] } } };
  test("refuses the start", () => {
    expect(() => go(failing)).toThrow("/deriveDesired/size");
  });

  test("refuses the change of variables, and nothing has changed", () => {
    const t = go({ ...failing, variables: { plan: 1 } });
    expect(t.refused(ask.patch({ plan: "x" }))).toMatchObject({
      code: "invalid_input",
      errors: [{ pointer: "/variables", code: "rule_fault" }],
    });
    expect(desiredOf(t)).toEqual([{ shutdownRequested: false, size: 2 }, 1]);
  });

  test("or derives too much", () => {
    const t = go({ ...written, deriveDesired: { text: { var: "variables.text" } } });
    expect(t.refused(ask.patch({ text: "x".repeat(DESIRED_BYTES_MAX) })).code).toBe("limit_exceeded");
  });
});

describe("a definition", () => {
  const found = (part: Written) => verify(reconciler(part)).map(({ pointer, code }) => [pointer, code]);
  test("is correct if its rules read variables", () => {
    expect(found(written)).toEqual([]);
  });

  test.each([
    [{ deriveDesired: { size: { var: "observed.size" } } }, "/deriveDesired/size/var", "not_a_variable"],
    [{ deriveDesired: { size: { var: "desired.size" } } }, "/deriveDesired/size/var", "not_a_variable"],
    [{ desired: { size: 1 } }, "/desired/size", "derived_field"],
  ])("is refused: %j", (part, pointer, code) => {
    expect(found({ ...written, ...part } as Written)).toContainEqual([pointer, code]);
  });

  test("cannot derive shutdownRequested", () => {
    const parsed = reconcilerDefinition.safeParse({
      ...reconciler(written),
      deriveDesired: { shutdownRequested: true },
    });
    expect(parsed.error?.issues[0]?.path).toEqual(["deriveDesired", "shutdownRequested"]);
  });
});
