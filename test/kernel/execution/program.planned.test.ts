// Planned instants: which instant a program receives, and what counts from it instead of from now.
import { describe, expect, test } from "vitest";
import { compile } from "#kernel/programs/compile.ts";
import type { Instants, Move, Program } from "#kernel/execution/program.ts";
import type { ProgramCommand } from "#kernel/execution/program-commands.ts";
import {
  action,
  ask,
  day,
  driveProgram,
  failure,
  hour,
  machine,
  minute,
  second,
  success,
  T0,
} from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

type Part = Parameters<typeof machine>[0];

/** A machine whose commands are changed as programs of other kinds write them; its inputs are recorded. */
function told(part: Part, say: (command: ProgramCommand, at: Instants) => ProgramCommand) {
  const heard: Record<string, Instants> = {};
  const said = (move: Move | null, at: Instants): Move | null =>
    move?.ok === true ? { ...move, commands: move.commands.map((command) => say(command, at)) } : move;
  const program = (): Program => {
    const compiled = compile(machine(part));
    return {
      ...compiled,
      begin: (variables, scope, work, at) => said(compiled.begin(variables, scope, work, at), at) as Move,
      react: (position, variables, type, scope, work, at) => {
        heard[type] = { now: at.now - T0, planned: at.planned - T0 };
        return said(compiled.react(position, variables, type, scope, work, at), at);
      },
    };
  };
  return { t: driveProgram([program(), program()]), heard };
}

const plain = (command: ProgramCommand): ProgramCommand => command;
/** Everything that is started or armed counts from the planned instant. */
const fromPlanned = (command: ProgramCommand, { planned }: Instants): ProgramCommand =>
  command.kind === "act" || command.kind === "arm" ? { ...command, from: planned } : command;

const mailed: Part = {
  states: {
    a: { entry: ["mail"], on: { "action.mail.ok": "b", "action.mail.failed": "b", "action.mail.skipped": "b" } },
    b: { after: { P1D: "c" }, on: { x: "c" } },
    c: {},
  },
  actions: [action("mail", { delay: hour })],
};

describe("a program receives the planned instant", () => {
  test("of a run's outcome: its first due instant, however long it took", () => {
    const { t, heard } = told(mailed, plain);
    t.start()
      .tickAt(hour)
      .miss("mail")
      .tickAt(hour + 10 * minute)
      .ok("mail");
    expect(heard["action.mail.ok"]).toEqual({ now: hour + 10 * minute, planned: hour });
  });

  test("of the outcome of a run without a stored plan that was started early: the time of its outcome", () => {
    const { t, heard } = told({ ...mailed, actions: [action("mail", { delay: { anchor: { var: "x" } } })] }, plain);
    t.start();
    const runs = t.state.runs.map((run) => ({ ...run, dueAt: T0, broughtForward: true as const }));
    expect(runs).toMatchObject([{ firstDueAt: null }]);
    t.become({ ...t.state, runs })
      .tickAt(minute)
      .clock(hour)
      .ok("mail");
    expect(heard["action.mail.ok"]).toEqual({ now: hour, planned: hour });
  });

  test("of the outcome of a run that an operator started early or retried: the time of that", () => {
    const early = told(mailed, plain);
    early.t.start().clock(minute).runNow({ run: "1.0" }).clock(hour).ok("mail");
    expect(early.heard["action.mail.ok"]).toEqual({ now: hour, planned: minute });
    const again = told({ ...mailed, states: { ...mailed.states, b: { on: { "action.mail.ok": "c" } } } }, plain);
    again.t
      .start()
      .tickAt(hour)
      .miss("mail", { retryable: false })
      .clock(9 * day)
      .retry("mail")
      .ok("mail");
    expect(again.heard["action.mail.failed"]).toEqual({ now: hour, planned: hour });
    expect(again.heard["action.mail.ok"]).toEqual({ now: 9 * day, planned: 9 * day });
  });

  test("of the outcome of a run that was late when it was started early: its due instant", () => {
    const { t, heard } = told(mailed, plain);
    t.start()
      .suspend()
      .tickAt(2 * hour)
      .runNow({ run: "1.0" })
      .suspend(false)
      .tickAt(3 * hour)
      .ok("mail");
    expect(heard["action.mail.ok"]).toEqual({ now: 3 * hour, planned: hour });
  });

  test("a timer: its instant, however late it fires", () => {
    const { t, heard } = told({ states: { a: { after: { PT1H: "b" } }, b: {} } }, plain);
    t.start().tickAt(hour + second);
    expect(heard["a/after/PT1H"]).toEqual({ now: hour + second, planned: hour });
  });

  test("an event: when it came", () => {
    const { t, heard } = told({ states: { a: { on: { go: "b" } }, b: {} } }, plain);
    t.start().clock(hour).event("go");
    expect(heard["go"]).toEqual({ now: hour, planned: hour });
  });
});

describe("what counts from what was planned", () => {
  test("a timer whose instant is ahead has it, counted from there", () => {
    const { t, heard } = told(mailed, fromPlanned);
    t.start()
      .tickAt(hour)
      .claim("mail")
      .clock(5 * hour)
      .settle("mail", success());
    expect(t.timers()).toEqual({ "b/after/P1D": hour + day });
    t.tickAt(2 * day);
    expect(heard["b/after/P1D"]).toEqual({ now: 2 * day, planned: hour + day });
  });

  test("a timer whose instant is past fires at once, and what comes after it counts from that instant", () => {
    const { t, heard } = told(mailed, fromPlanned);
    t.start()
      .tickAt(hour)
      .claim("mail")
      .clock(3 * day)
      .settle("mail", success());
    expect(t.timer("b/after/P1D")).toMatchObject({ at: T0 + 3 * day, planned: T0 + hour + day });
    t.tickAt(3 * day);
    expect(heard["b/after/P1D"]).toEqual({ now: 3 * day, planned: hour + day });
    expect(t.at).toBe("c");
  });

  const followed = (more: Parameters<typeof action>[1]): Part => ({
    states: { a: { on: { go: { target: "b", actions: ["mail"] } } }, b: { on: { "action.mail.ok": "c" } }, c: {} },
    actions: [action("mail", more)],
  });
  const since = (command: ProgramCommand): ProgramCommand =>
    command.kind === "act" ? { ...command, state: "b", from: T0 - hour } : command;

  test.each([
    ["without a delay", {}, 0, -hour],
    ["whose delay is past by now", { delay: minute }, 0, minute - hour],
    ["whose delay is ahead", { delay: 2 * hour }, hour, hour],
    ["whose delay has an anchor", { delay: { anchor: T0, offset: "PT3H" } }, 3 * hour, 3 * hour],
  ])("a run %s", (_, more, due, planned) => {
    const { t, heard } = told(followed(more), since);
    t.start().event("go");
    expect(t.run("mail")).toMatchObject({ boundTo: "b", firstDueAt: T0 + due });
    t.tickAt(due).ok("mail");
    expect(heard["action.mail.ok"]).toEqual({ now: due, planned });
  });

  test("a run's lateness counts from the instant that it was planned after", () => {
    const limited = (maxLateness: string) => told(followed({ maxLateness }), since).t.start().event("go").runs();
    expect([limited("PT1H"), limited("PT59M")]).toEqual([["mail queued"], ["mail skipped"]]);
  });

  test("an anchor that is not there has no instant to count for", () => {
    const { t, heard } = told(followed({ delay: { anchor: { var: "execution.variables.date" } } }), since);
    t.start().event("go").clock(hour).runNow({ run: "2.0" }).ok("mail");
    expect(heard["action.mail.ok"]).toEqual({ now: hour, planned: hour });
  });
});

describe("a timer that is past and not wanted then", () => {
  const skipping: Part = {
    delays: { due: { anchor: T0 - day, ifPast: "skip" } },
    states: { a: { on: { go: "b" } }, b: { after: { due: "c" }, on: { passed: "d" } }, c: {}, d: {} },
  };

  test("is sent to a program that requests it, in the same step", () => {
    const { t, heard } = told(skipping, (command) =>
      command.kind === "arm" ? { ...command, onSkip: "passed" } : command,
    );
    t.start().event("go");
    expect([t.at, heard["passed"], t.timers()]).toEqual(["d", { now: 0, planned: -day }, {}]);
    expect(t.newLines()).toContain("timer_disarmed b/after/due: already_past");
  });

  test("is not told to one that does not", () => {
    const { t } = told(skipping, plain);
    expect(t.start().event("go").at).toBe("b");
  });
});

test("result events that wait in a pause keep their planned instant", () => {
  const { t, heard } = told(mailed, plain);
  t.start()
    .tickAt(hour)
    .claim("mail")
    .pause()
    .clock(2 * hour)
    .settle("mail", failure({ retryable: false }));
  t.clock(5 * hour).resume();
  expect(heard["action.mail.failed"]).toEqual({ now: 5 * hour, planned: hour });
});

test("delays that only the compiled program has are found by their names", () => {
  const program = (delays: Program["delays"]): Program => {
    const compiled = compile(machine({ states: { a: {} } }));
    const arm: ProgramCommand = { kind: "arm", timer: "a/soon", state: "a", expression: "soon" };
    return {
      ...compiled,
      ...(delays === undefined ? {} : { delays }),
      begin: (...given) => ({ ...compiled.begin(...given), commands: [arm] }) as Move,
    };
  };
  const started = (delays?: Program["delays"]) => driveProgram([program(delays), program(delays)]);
  expect(
    started({ soon: { offset: hour } })
      .start()
      .timers(),
  ).toEqual({ "a/soon": hour });
  expect(started().refused(ask.start()).message).toEqual(naming('"soon"'));
});
