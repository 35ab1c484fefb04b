// Commands to a slice of executions: each execution has its own outcome, and an unreachable one does not count as gone.
import { expect, it, test } from "vitest";
import type { Cell, ControlItem, Reply } from "#schema/engine/cell.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { ExecutionCommand } from "#schema/engine/execution-command.ts";
import type { OperationRequest } from "#schema/operation.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import { commandExecutions } from "#services/operations/command-executions.ts";

const terms = (steer: ExecutionCommand): OperationRequest => ({
  id: "op_1",
  tenant: "acme",
  verb: "steer",
  filter: {},
  perSecond: 20,
  reason: "why",
  fingerprint: "f",
  actor: { kind: "key", id: "key_1" },
  createdAt: 0,
  matched: 6,
  steer,
});
const lineOf = (execution: string) => ({ id: `1.${execution.slice(4)}`, line: [execution, 7] });
const run = (id: string, over: Partial<Run> = {}) =>
  ({ id, action: "mail", status: "scheduled", deadLetter: false, ...over }) as Run;
const stateOf = (...runs: Run[]) => ({ runs, receipts: [], position: { states: [] } }) as unknown as ExecutionState; // all that is looked at
const deadLetter = { status: "failed", deadLetter: true } as const;

/** What the cells answer, by execution; "throws" takes the whole call with it. */
function cellsThat(
  answers: { readonly [execution: string]: string },
  states: { readonly [execution: string]: ExecutionState } = {},
) {
  const asked: ControlItem[] = [];
  const reads: string[] = [];
  const control: Cell["control"] = async (items) =>
    items.map((item): Result<Reply> => {
      asked.push(item);
      const answer = answers[item.execution] ?? "ok";
      if (answer === "throws") throw new Error("no way in");
      const state = states[item.execution] ?? stateOf();
      if (answer === "ok") return accept({ state, seq: 1, repeated: false, moves: [] });
      const details = answer === "state_changed" ? { notMeant: true } : {};
      return refuse({ code: answer as Refusal["code"], message: `it is ${answer}`, details });
    });
  const read: Cell["read"] = async (execution) => {
    reads.push(execution);
    const state = states[execution];
    if (answers[execution] === "unread") throw Object.assign(new Error("moved"), { retryable: true });
    return state ? accept(state) : refuse({ code: "not_found", message: "there is none" });
  };
  const cell = () => ({ control, read }) as never;
  return { asked, reads, deps: { cell, db: null as never, log: () => {}, now: () => 0 } as never };
}

it("an execution that fails does not stop the others in its cell, and each gets its outcome", async () => {
  const codes = ["internal_error", "unavailable", "not_found", "event_unknown", "execution_final", "state_changed"];
  const ids = codes.map((_, n) => `exe_${n}_p1`);
  const { deps, asked } = cellsThat(Object.fromEntries(ids.map((id, n) => [id, codes[n] ?? ""])));
  const event = { verb: "event", type: "go", payload: null, source: null } as const;
  const outcomes = await commandExecutions(deps, terms(event), [...ids, "exe_6_p1"].map(lineOf));
  expect(outcomes.map(({ id: _id, ...outcome }) => outcome)).toEqual([
    { kind: "unreached", error: "it is internal_error", isBroken: true },
    { kind: "unreached", error: "it is unavailable" },
    { kind: "gone" },
    { kind: "refused", code: "event_unknown", message: "it is event_unknown" },
    { kind: "skipped", reason: "ended", message: "it is execution_final" },
    { kind: "skipped", reason: "no_longer_matching", message: "it is state_changed" },
    { kind: "released" },
  ]);
  expect(asked[0]).toMatchObject({
    incarnation: 7,
    dryRun: false,
    command: { kind: "event", inputId: "op_1", event: { id: "op_1" } },
  });
  expect(asked[0]?.command.actor).toEqual({ kind: "key", id: "key_1", operation: "op_1" });
});

it("a cell that throws does not stop the other cells", async () => {
  const { deps } = cellsThat({ exe_2: "throws" });
  const outcomes = await commandExecutions(deps, terms({ verb: "pause" }), ["exe_1", "exe_2", "exe_3"].map(lineOf));
  expect(outcomes.map(({ kind }) => kind)).toEqual(["released", "unreached", "released"]);
});

it("each command contains the filter's status and state, so that the execution checks them itself", async () => {
  const { deps, asked } = cellsThat({});
  const filter = { definition: "order", status: "waiting", state: "open" } as const;
  await commandExecutions(deps, { ...terms({ verb: "pause" }), filter, ifState: "open" }, [lineOf("exe_1")]);
  expect(asked).toMatchObject([{ only: { status: "waiting", state: "open" }, command: { ifState: "open" } }]);
});

test.each<[string, ExecutionCommand, Run[], string[]]>([
  [
    "dead letters that wait",
    { verb: "retry", action: null },
    [run("1.0", deadLetter), run("2.0", { ...deadLetter, action: "sms" }), run("3.0")],
    ["retry 1.0", "retry 2.0"],
  ],
  [
    "those of one action",
    { verb: "retry", action: "mail" },
    [run("1.0", deadLetter), run("2.0", { ...deadLetter, action: "sms" })],
    ["retry 1.0"],
  ],
  [
    "none that is handled",
    { verb: "retry", action: null },
    [run("1.0", { ...deadLetter, handledAt: 3, heard: { event: "e", state: "s", at: 3 } })],
    [],
  ],
  [
    "what has not ended",
    { verb: "hold", action: "mail" },
    [run("1.0"), run("2.0", { status: "ok" }), run("3.0", { action: "sms" })],
    ["hold 1.0"],
  ],
  [
    "what nobody holds yet",
    { verb: "hold", action: "mail" },
    [run("1.0", { heldByHand: { since: 1, dueAt: null, actor: { kind: "key", id: "k" }, reason: null } })],
    [],
  ],
  [
    "what somebody holds",
    { verb: "release", action: "mail" },
    [run("1.0", { heldByHand: { since: 1, dueAt: null, actor: { kind: "key", id: "k" }, reason: null } }), run("2.0")],
    ["release 1.0"],
  ],
  [
    "what waits, or has failed",
    { verb: "skip", target: { action: "mail" } },
    [run("1.0"), run("2.0", deadLetter), run("3.0", { status: "skipped" })],
    ["skip 1.0", "skip 2.0"],
  ],
  [
    "what is to come",
    { verb: "reschedule", target: { action: "mail" }, at: 9 },
    [run("1.0"), run("2.0", { status: "ok" })],
    ["reschedule 1.0"],
  ],
])("runs %s: %j", async (_what, steer, runs, expected) => {
  const { deps, asked } = cellsThat({}, { exe_1: stateOf(...runs) });
  const outcomes = await commandExecutions(deps, terms(steer), [lineOf("exe_1")]);
  const told = asked.map(
    ({ command }) =>
      `${command.kind} ${"run" in command ? command.run : (command as { target: { run: string } }).target.run}`,
  );
  expect(told).toEqual(expected);
  expect(asked.map(({ command }) => command.inputId)).toEqual(expected.map((line) => `op_1/${line.split(" ")[1]}`));
  expect(outcomes[0]?.kind).toBe(expected.length > 0 ? "released" : "skipped");
});

test("a repeated slice sends the same commands, and gets the same answers", async () => {
  const asked = { inputId: "op_1/1.0", fingerprint: "x", seq: 4, kind: "verb" } as const;
  const state = { ...stateOf(run("1.0", { status: "skipped" })), receipts: [asked] };
  const cells = cellsThat({}, { exe_1: state });
  const skip = { verb: "skip", target: { action: "mail" } } as const;
  expect(await commandExecutions(cells.deps, terms(skip), [lineOf("exe_1")])).toMatchObject([{ kind: "released" }]);
  expect(cells.asked).toHaveLength(1);
});

test("an unreadable execution is retried; a missing one is gone", async () => {
  const hold = { verb: "hold", action: "mail" } as const;
  const away = cellsThat({ exe_1: "unread" }, { exe_1: stateOf(run("1.0")) });
  expect(await commandExecutions(away.deps, terms(hold), [lineOf("exe_1")])).toMatchObject([{ kind: "unreached" }]);
  const none = cellsThat({});
  expect(await commandExecutions(none.deps, terms(hold), [lineOf("exe_1")])).toMatchObject([{ kind: "gone" }]);
  expect(none.asked).toEqual([]);
});

test("verbs about the whole execution, a node or a timer do not read it first", async () => {
  const steers: ExecutionCommand[] = [
    { verb: "cancel", children: "leave" },
    { verb: "patch", variables: { a: 1 } },
    { verb: "desire", desired: { a: 1 }, mode: "replace" },
    { verb: "skip", target: { node: "mail" }, result: null },
    { verb: "reschedule", target: { timer: "a/after/x" }, at: 9 },
  ];
  const { deps, asked, reads } = cellsThat({});
  for (const steer of steers) await commandExecutions(deps, terms(steer), [lineOf("exe_1")]);
  expect(reads).toEqual([]);
  expect(asked.map(({ command }) => command)).toMatchObject([
    { kind: "cancel", children: "leave", reason: "why" },
    { kind: "patch", variables: { a: 1 } },
    { kind: "desire", desired: { a: 1 }, mode: "replace", ifRevision: null },
    { kind: "skip", target: { node: "mail" }, result: null },
    { kind: "reschedule", target: { timer: "a/after/x" }, at: 9 },
  ]);
});

test("an operation with an unknown verb throws", async () => {
  const { steer: _steer, ...untold } = terms({ verb: "pause" });
  await expect(commandExecutions(cellsThat({}).deps, untold, [])).rejects.toThrow(untold.id);
});
