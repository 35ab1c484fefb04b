// An operator skips a reconciler's action: the status that its rules read afterwards.
import { expect, test } from "vitest";
import { go } from "../../programs/reconciler/drive-reconciler.ts";
import { action } from "#test/support/drive.ts";

const made = () =>
  go({
    states: {
      A: {
        rules: [
          { when: { var: "action.succeeded" }, target: "B" },
          { when: { "!": [{ var: "action.actionName" }] }, emit: "mail" },
        ],
      },
      B: { rules: [] },
    },
    actions: [action("mail")],
  });

test.each([
  ["with a result they see that it has succeeded", { result: null }, "B", true],
  ["without one neither that nor a failure", {}, "A", false],
])("%s", (_, given, state, succeeded) => {
  const t = made();
  t.observe({ up: true });
  t.tickAt(1_000);
  const { id } = t.run("mail");
  t.verb({ kind: "skip", target: { run: id }, ...given });
  expect(t.action()).toMatchObject({ inProgress: false, succeeded, failed: false });
  t.tickAt(2_000);
  expect(t.position().state).toBe(state);
});
