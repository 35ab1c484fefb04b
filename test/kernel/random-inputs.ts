// A machine with every feature, and random inputs for it. Used by tests of properties that hold for any order of
// inputs.
import type { Hold, Outcome } from "#schema/engine/outcome.ts";
import { action, ask, failure, success, type drive, type Drive } from "#test/support/drive.ts";

const variable = (name: string) => ({ var: `execution.variables.${name}` });
export const parent = { execution: "exe_parent", run: "2.0", action: "begin", incarnation: 0 };
export const anything = {
  concurrency: 2,
  timezone: "Europe/Zurich",
  variables: { n: 0 },
  delays: { due: { anchor: variable("date"), offset: "-P1D", ifPast: "skip" } },
  windows: { day: { days: "MON-FRI", from: "08:30", to: "19:00", spread: "PT1H" } },
  caps: { few: { max: 2, calendar: "day", over: "skip", subject: "n{{ execution.variables.n }}" } },
  after: { P60D: ".expired" },
  states: {
    a: { on: { go: "b", add: { assign: { n: { "+": [variable("n"), 1] } } } }, after: { due: "b", PT2H: "b" } },
    b: {
      type: "parallel",
      states: {
        x: { initial: "one", states: { one: { on: { "action.pay.ok": "two", go: "two" } }, two: { type: "final" } } },
        y: {
          initial: "one",
          states: {
            one: { on: { pay: "two" } },
            two: { on: { back: "#a" }, type: "atomic" },
            was: { type: "history" },
          },
        },
      },
      on: { hold: "c", "action.pay.failed": "c" },
    },
    c: { always: { guard: { ">": [variable("n"), 5] }, target: "end" }, on: { go: "#b.y.was", "*": "a" } },
    end: { type: "final" },
    expired: { type: "final", outcome: "failed" },
  },
  actions: [
    {
      ...action("mail", { triggerState: "a", delay: 90_000, cancelOnExit: false, maxLateness: "P2D" }),
      window: "day",
      cap: "few",
    },
    action("dated", { triggerState: "a", delay: "due" }),
    action("pay", {
      triggerState: "b.x.one",
      priority: 95,
      timeout: 10_000,
      onExhausted: "pause",
      retryPolicy: { maxAttempts: 2, jitter: true },
    }),
    {
      ...action("daily", { triggerState: "b", schedule: "0 8 * * *", condition: { "!=": [variable("n"), 3] } }),
      window: { from: "07:00", to: "07:30", timezone: "America/Lima" },
    },
    action("mint", {
      type: "blockchain_mint",
      triggerState: "c",
      retryPolicy: { maxAttempts: 1 },
      onExhausted: { event: "go" },
    }),
    action("bye", { triggerState: "end", config: { n: "{{ execution.variables.n }}" } }),
  ],
} as const satisfies Parameters<typeof drive>[0];

const unsent = failure({ type: "capped" }) as Extract<Outcome, { ok: false }>; // `failure` makes a failed outcome
const capped: Outcome = { ...unsent, skipped: "capped" };

function heldUntil({ state }: Drive, chance: () => number): Hold {
  return { reason: "cap", until: state.updatedAt + Math.floor(chance() * 86_400_000), connection: null };
}

export function somethingHappens(t: Drive, chance: () => number): void {
  const one = <T>(list: readonly T[]): T | undefined => list[Math.floor(chance() * list.length)];
  const run = one(t.state.runs);
  const id = run?.id ?? "9.9";
  const attempt = Math.max(1, (run?.attempt ?? 1) - (chance() < 0.1 ? 1 : 0));
  const date = t.state.createdAt + Math.floor(chance() * 20) * 86_400_000;
  const timer = one(t.state.timers)?.id ?? "none";
  const ways = [
    () => ask.event(one(["go", "add", "pay", "hold", "back", "unknown"]) ?? "go"),
    () => ask.event(one(["go", "add", "pay", "hold", "back"]) ?? "go"),
    () => ask.claim(id, attempt),
    () => ask.claim(id, attempt),
    () => ask.settle(id, attempt, success({ events: [{ type: "add", payload: null }] })),
    () => ask.settle(id, attempt, failure({ retryable: chance() < 0.7 })),
    () => ask.settle(id, attempt, chance() < 0.5 ? capped : { ...unsent, held: heldUntil(t, chance) }),
    () => ask.undeliverable(id, attempt),
    () => ask.orphaned(id),
    () => ask.patch({ date: chance() < 0.2 ? null : date }),
    () => (chance() < 0.5 ? ask.pause() : ask.resume()),
    () => ask.resume(),
    () => ask.runNow(one([{ run: id }, { timer }, { action: "mail" }]) ?? { run: id }),
    () => (chance() < 0.1 ? ask.parentNotified() : ask.tick()),
    () => (chance() < 0.1 ? ask.cancel() : ask.tick()),
  ];
  t.attempt((one(ways) ?? ask.tick)());
}
