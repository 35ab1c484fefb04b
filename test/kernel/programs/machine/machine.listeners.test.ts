// The listeners of a machine in its position, and their rules.
import { describe, expect, test } from "vitest";
import { drive } from "#test/support/drive.ts";

const guard = { ">": [{ var: "execution.variables.total" }, 50] };
const listening = (t: ReturnType<typeof drive>) => t.program.listeners(t.state.position);

describe("what it listens with", () => {
  test("are listed from the inside out: events, timers and eventless transitions, with guard, pointer and target", () => {
    const t = drive({
      on: { stop: "end" },
      after: { P9D: "end" },
      states: {
        open: {
          initial: "new",
          on: { paid: [{ guard, target: "end" }, { target: "#open.late" }] },
          states: { new: { after: { P1D: { target: "late", guard } }, always: { guard, target: "late" } }, late: {} },
        },
        end: { type: "final" },
      },
    }).start();
    expect(listening(t)).toEqual([
      {
        on: { kind: "timer", timer: "open.new/after/P1D" },
        state: "open.new",
        guard,
        at: "/states/open/states/new/after/P1D/guard",
        to: ["open.late"],
      },
      {
        on: { kind: "always" },
        state: "open.new",
        guard,
        at: "/states/open/states/new/always/guard",
        to: ["open.late"],
      },
      { on: { kind: "event", type: "paid" }, state: "open", guard, at: "/states/open/on/paid/0/guard", to: ["end"] },
      {
        on: { kind: "event", type: "paid" },
        state: "open",
        guard: null,
        at: "/states/open/on/paid/1",
        to: ["open.late"],
      },
      { on: { kind: "event", type: "stop" }, state: "", guard: null, at: "/on/stop", to: ["end"] },
      { on: { kind: "timer", timer: "(root)/after/P9D" }, state: "", guard: null, at: "/after/P9D", to: ["end"] },
    ]);
    expect(t.timers()).toHaveProperty(["open.new/after/P1D"]); // the name of its timer
  });

  test("is nothing once it is done", () => {
    const t = drive({ states: { open: { on: { stop: "end" } }, end: { type: "final" } } }).start();
    expect(listening(t.event("stop"))).toEqual([]);
  });
});
