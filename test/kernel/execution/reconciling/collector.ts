// A reconciler with a collector, and a runner that answers the collector.
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Json } from "#schema/json.ts";
import { action, ask, success, T0 } from "#test/support/drive.ts";
import { go, type Written } from "../../programs/reconciler/drive-reconciler.ts";

export const looks = (part: Partial<Written> = {}, collector = {}, begin = {}, room = 0) =>
  go(
    {
      states: { A: { rules: [{ when: { var: "observed.go" }, emit: "call" }] } },
      actions: [action("look", { timeout: 10_000 }), action("call")],
      collector: { action: "look", every: "PT5S", ...collector },
      ...part,
    },
    begin,
    room,
  );
export type Looks = ReturnType<typeof looks>;

export const inHand = (t: Looks) => {
  const run = t.reconciling().collecting?.run;
  if (!run) throw new Error("nobody is observing");
  return run;
};
export const claim = (t: Looks) => t.take(ask.claim(inHand(t).id, 1));
export const settle = (t: Looks, outcome: Outcome) => t.take(ask.settle(inHand(t).id, 1, outcome));
export const seen = (t: Looks, result: Json) => {
  claim(t);
  return settle(t, success({ result }));
};
export const dueAt = (t: Looks) => Number(t.reconciling().collecting?.dueAt) - T0;
