// If-State: a verb is refused if the execution is in another state than the caller expects.
import { assert } from "#kernel/assert.ts";
import { step } from "#kernel/execution/step.ts";
import { describe, expect, test } from "vitest";
import type { Command, Input } from "#schema/engine/input.ts";
import { action, ask, drive, hour, T0 } from "#test/support/drive.ts";

import { act, go } from "../../programs/journey/drive-journey.ts";
import { naming } from "#test/support/matchers/naming.ts";

const states = {
  a: { initial: "x", states: { x: { on: { on: "y" } }, y: {} }, on: { go: "b" }, after: { PT1H: "b" } },
  b: { on: { back: "a" } },
};
const t = () =>
  drive({ states, actions: [action("mail", { triggerState: "a", delay: "P1D", cancelOnExit: false })] }).start();
const where = (ifState: string, command: Command = ask.pause()): Command => ({ ...command, ifState }) as Command;

describe("If-State", () => {
  test.each(["a", "a.x", "a, a.x", " a.x ,", ""])("%j matches in state a.x", (ifState) => {
    expect(t().take(where(ifState)).status).toBe("paused");
  });

  test.each(["b", "a.y", "a, b", "a.x.z"])("%j does not, and nothing changes", (ifState) => {
    expect(t().refused(where(ifState))).toEqual({
      code: "state_changed",
      message: naming("a.x", "waiting", ifState),
      hint: naming("If-State"),
      details: { states: ["a.x"], status: "waiting" },
    });
  });

  test("what has come due by then comes first", () => {
    expect(t().clock(hour).refused(where("a"))).toMatchObject({
      code: "state_changed",
      details: { states: ["b"], status: "waiting" },
    });
  });

  const each: readonly Command[] = [
    ask.event("go"),
    ask.patch({ n: 1 }),
    ask.pause(),
    ask.cancel(),
    ask.runNow({ run: "1.0" }),
    ask.retry("1.0"),
    ask.archive("1.0"),
    ask.verb({ kind: "skip", target: { run: "1.0" } }),
    ask.verb({ kind: "hold", run: "1.0" }),
    ask.verb({ kind: "release", run: "1.0" }),
    ask.verb({ kind: "reschedule", target: { run: "1.0" }, at: 0 }),
    ask.verb({ kind: "complete", target: { run: "1.0" } }),
  ];
  test.each(each.map((command) => [command.kind, command] as const))("holds %s back", (_, command) => {
    expect(t().refused(where("b", command)).code).toBe("state_changed");
  });

  test("a cancellation is accepted in that state, and refused in another", () => {
    expect(t().take(where("a", ask.cancel())).status).toBe("canceled");
  });

  test("a cancellation that must leave out due work checks the stored state", () => {
    const { program, state } = t();
    const broken = { ...program, react: () => assert(false, "the rule engine broke") as never };
    const canceled = (ifState: string) =>
      step(broken, state, { ...where(ifState, ask.cancel()), now: T0 + hour, room: 0 } as Input);
    expect(canceled("b")).toMatchObject({ ok: false, refusal: { code: "state_changed" } });
    expect(canceled("a")).toMatchObject({ ok: true, state: { status: "canceled" } });
  });

  test("of what has ended it says how", () => {
    expect(t().cancel().refused(where("b", ask.resume())).details).toEqual({ states: ["a.x"], status: "canceled" });
    expect(t().cancel().refused(where("a", ask.resume())).code).toBe("execution_final");
  });

  test("and of a journey that was exited that it has no active state", () => {
    const left = go({ nodes: { a: act() }, exitWhen: [{ event: "stop" }] });
    left.start().claim("a").event("stop");
    expect(left.refused(where("a", ask.patch({ n: 1 })))).toMatchObject({
      code: "state_changed",
      details: { states: [], status: "active" },
    });
  });

  test("a repeat gets its stored response, whatever the state is now", () => {
    const go: Command = { ...ask.event("go", null, "once"), ifState: "a" } as Command;
    expect(t().take(go).take(go).repeated).toBe(true);
  });
});
