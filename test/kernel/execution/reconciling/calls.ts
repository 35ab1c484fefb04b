// A reconciler with a rule that starts an action, before and after that start.
import { action, second } from "#test/support/drive.ts";
import { go, type Written } from "../../programs/reconciler/drive-reconciler.ts";

export const calls = (part: Partial<Written> = {}, of = {}) =>
  go({
    states: { A: { rules: [{ when: { var: "observed.go" }, emit: "call" }] } },
    actions: [action("call", of), action("other")],
    ...part,
  });
export const begun = (part: Partial<Written> = {}, of = {}) => {
  const t = calls(part, of);
  t.observe({ go: 1 });
  t.tickAt(second);
  return t;
};
