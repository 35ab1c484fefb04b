// An action that is tried out reads the given message and states.
import { describe, expect, it } from "vitest";
import { oneActionProgram } from "#kernel/programs/one-action.ts";
import { step, type AcceptedStep } from "#kernel/execution/step.ts";
import type { ProgramAction } from "#schema/definition/action.ts";
import type { Input, StartCommand } from "#schema/engine/input.ts";
import { T0 } from "#test/support/drive.ts";

const message = { id: "evt_1", type: "paid", payload: { total: 42 }, source: "shop", correlationId: null };
const trigger = { message, previousState: "open", currentState: "paid" };
const stamp = { now: T0, room: 0 };

function started(part: Partial<ProgramAction>, seen?: NonNullable<StartCommand["trigger"]>) {
  const action = { actionId: "notify", type: "webhook", config: {}, ...part };
  const program = oneActionProgram({ action, dedup: null });
  const input: Input = {
    kind: "start",
    inputId: "start-1",
    execution: "exe_1",
    tenant: "acme",
    namespace: "default",
    definition: { id: "def_action", name: "$action", version: 1 },
    placement: "pooled",
    variables: {},
    correlationId: null,
    fingerprint: "",
    actor: { kind: "engine", id: "test" },
    standalone: { action, dedup: null },
    ...(seen === undefined ? {} : { trigger: seen }),
    ...stamp,
  };
  const { state } = must(step(program, null, input));
  const claim = () =>
    must(step(program, state, { kind: "claim", run: "1.0", attempt: 1, lane: "queue", ...stamp })).state;
  return { state, claim };
}

function must(stepped: ReturnType<typeof step>): AcceptedStep {
  if (!stepped.ok) throw new Error(stepped.refusal.message);
  return stepped;
}

describe("a trigger given with the start", () => {
  it("is what templates see", () => {
    const config = { text: "{{ message.payload.total }} {{ previousState }} {{ currentState }}" };
    expect(started({ config }, trigger).claim().runs[0]?.config).toEqual({ text: "42 open paid" });
  });

  it("is what conditions and delays see", () => {
    const condition = { "==": [{ var: "currentState" }, "paid"] };
    expect(started({ condition }, trigger).state.runs[0]?.status).toBe("queued");
    expect(started({ condition }, { ...trigger, currentState: "open" }).state.runs[0]).toMatchObject({
      status: "skipped",
      reason: "condition_false",
    });
    const delay = { anchor: { var: "message.payload.total" }, ifPast: "skip" as const };
    expect(started({ delay }, trigger).state.runs[0]).toMatchObject({ status: "skipped", reason: "already_past" });
  });

  it("is omitted otherwise: then there is no message", () => {
    const config = { seen: "{{ message }}", state: "{{ currentState }}" };
    expect(started({ config }).claim().runs[0]?.config).toEqual({ seen: null, state: "act" });
  });
});
