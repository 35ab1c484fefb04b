// A reconciler that is restarted at one of its states: its effects are listed, and its rules decide again.
import { expect, test } from "vitest";
import { ask, driveProgram } from "#test/support/drive.ts";
import { compile } from "#kernel/programs/compile.ts";
import { go, reconciler } from "../../programs/reconciler/drive-reconciler.ts";
import { worker } from "../../programs/reconciler/worker.ts";
import { again, because, taken } from "./again.ts";
import { naming } from "#test/support/matchers/naming.ts";

const started = () => go(worker).observe({ running: false, configValid: true }).tickAt(1_000).ok("start");

test("its rules read the observation, and repeat their actions", () => {
  const t = started();
  const definition = reconciler(worker);
  expect(because(compile(definition), t, { state: "TryingToStart" })).toEqual([
    expect.stringMatching(/start reconciler$/),
  ]);
  const next = again(definition, t.cancel(), { state: "Running" });
  expect([next.at, next.state.restartOf?.made]).toEqual(["Running", []]);
});

test("it cannot begin at a final state, and refuses a state whose reason cannot be rendered", () => {
  const definition = reconciler({
    ...worker,
    states: { ...worker.states, Odd: { reason: "{{ nobody.knows }}", rules: [] } },
  });
  const t = started();
  const at = (state: string) => {
    const restart = taken(compile(definition), t, { state });
    const start = ask.start();
    return driveProgram([compile(definition), compile(definition)]).refused(
      start.kind === "start" ? { ...start, restart } : start,
    );
  };
  expect(at("Failed")).toMatchObject({
    code: "invalid_input",
    message: naming("Failed", "final"),
    errors: [{ pointer: "/from/state", code: "not_allowed" }],
  });
  expect(at("Odd")).toMatchObject({ code: "invalid_input", message: naming("nobody") });
});
