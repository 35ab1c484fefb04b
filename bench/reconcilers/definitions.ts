// Resting reconcilers: one definition whose rules read observations only, and one that also has a rule on the clock,
// which must be evaluated at every tick.

const TICK = "PT1S";
/** An instant in the year 3000. The rule is evaluated at each tick and never holds. */
const NEVER = 32_503_680_000_000;

export const KINDS = ["asleep", "by the clock"] as const;
export type Kind = (typeof KINDS)[number];

export function restingReconciler(kind: Kind): object {
  const watched = kind === "asleep" ? [] : [{ when: { ">": [{ var: "now" }, NEVER] }, target: "Over" }];
  return {
    kind: "reconciler",
    name: kind.replaceAll(" ", "-"),
    tick: TICK,
    initial: "Running",
    desired: { running: true, replicas: 3 },
    states: {
      Running: {
        reason: "running",
        rules: [
          ...watched,
          {
            when: { "===": [{ var: "observed.processRunning" }, false] },
            target: "Over",
            reason: "its process is gone",
          },
          {
            when: {
              and: [
                { var: "observed.processRunning" },
                { "<": [{ var: "observed.replicas" }, { var: "desired.replicas" }] },
              ],
            },
            emit: "grow",
          },
          { when: { and: [{ var: "action.failed" }, { ">=": [{ var: "action.retries" }, 3] }] }, target: "Over" },
        ],
      },
      Over: { type: "final" },
    },
    actions: [{ actionId: "grow", type: "webhook", config: { url: "https://receiver.example/grow" } }],
  };
}
