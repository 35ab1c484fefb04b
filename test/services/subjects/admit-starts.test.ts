// Starts about subjects, over real cells and real subject objects in memory: concurrent starts, lost calls and re-entry.
import { describe, expect, test } from "vitest";
import type { StartItem } from "#schema/engine/cell.ts";
import type { JsonObject } from "#schema/json.ts";
import { ADMISSION_GRACE_MS, ADMISSION_MS } from "#schema/limits/subjects/subject-rows.ts";
import { isDelivered } from "#test/support/outbox/deliver.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Reentry } from "#schema/subject/enrolment.ts";
import type { PlannedStart } from "#services/executions/plan-start.ts";
import { startFollowingMoves } from "#services/executions/start-executions.ts";
import { MemoryCells } from "#test/support/cells.ts";
import { ask, T0 } from "#test/support/drive.ts";
import { memoryKeyLimits } from "#test/support/memory/key-limits.ts";
import { MemorySubjects } from "#test/support/memory/subjects.ts";

const LAPSED = ADMISSION_MS + ADMISSION_GRACE_MS + 1;
const body = {
  kind: "machine",
  name: "wedding",
  initial: "a",
  input: { type: "object", properties: { ok: { const: true } } },
  states: { a: { on: { end: "done" } }, done: { type: "final" } },
};

function world() {
  let now = T0;
  const cells = new MemoryCells(() => now);
  const subjects = new MemorySubjects(() => now);
  const lines: object[] = [];
  const deps = {
    now: () => now,
    cell: (name: string) => cells.cell(name),
    subject: (name: string) => subjects.subject(name),
    keyLimits: memoryKeyLimits(() => now),
    log: (line: object) => void lines.push(line),
  };
  const start = async (execution: string, reentry: Reentry, { dryRun = false, variables = {} as JsonObject } = {}) => {
    const [reply] = await startFollowingMoves(deps, "acme", [planned(execution, reentry, variables)], dryRun);
    if (reply === undefined) throw new Error("a start has an answer");
    return reply;
  };
  const codeOf = async (...asked: Parameters<typeof start>) => {
    const reply = await start(...asked);
    return reply.ok ? `started ${reply.value.repeated ? "before" : "now"}` : reply.refusal.code;
  };
  const name = "acme/couple-1";
  return {
    cells,
    deps,
    lines,
    start,
    codeOf,
    later: (ms: number) => void (now += ms),
    /** Admitted, and its Worker is gone before the cell hears of it. */
    admitOnly: (execution: string, reentry: Reentry) =>
      subjects
        .subject(name)
        .enroll({ journey: "wedding", execution, reentry, found: [], isGone: false, dryRun: false }),
    end: (execution: string) => cells.take(`acme/${execution}`, execution, ask.event("end")),
    tell: (execution: string) => isDelivered(deps, "acme", execution),
    forget: (execution: string) => cells.remove(`acme/${execution}`, execution),
    enrolments: async () => (await subjects.subject(name).read()).journeys[0]?.enrolments ?? [],
  };
}

function planned(execution: string, reentry: Reentry, variables: JsonObject = {}): Result<PlannedStart> {
  const command = {
    ...ask.start(variables),
    execution,
    definition: { id: "def_wedding", name: "wedding", version: 1 },
  };
  return accept({
    command: command as StartItem["command"],
    definition: JSON.stringify(body),
    subject: { key: "couple-1", reentry },
  });
}

describe("two concurrent starts", () => {
  test.each<Reentry>(["once", "after_finish"])(
    "%s: one is started, the other is refused with the first one's id",
    async (r) => {
      const w = world();
      const plans = [planned("exe_a", r), planned("exe_b", r)];
      const answers = await startFollowingMoves(w.deps, "acme", plans, false);
      expect(answers.map((answer) => (answer.ok ? "started" : answer.refusal.code))).toEqual([
        "started",
        "already_enrolled",
      ]);
      expect(answers[1]).toMatchObject({
        refusal: { details: { execution: "exe_a", subject: "couple-1", reentry: r, ended: null } },
      });
      expect(w.cells.states()).toHaveLength(1);
    },
  );

  test("always: both are started", async () => {
    const w = world();
    const plans = [planned("exe_a", "always"), planned("exe_b", "always")];
    const answers = await startFollowingMoves(w.deps, "acme", plans, false);
    expect(answers.every(({ ok }) => ok)).toBe(true);
  });
});

test("a repeated start gets the first answer", async () => {
  const w = world();
  expect(await w.codeOf("exe_a", "once")).toBe("started now");
  expect(await w.codeOf("exe_a", "once")).toBe("started before");
  w.later(LAPSED);
  w.end("exe_a");
  await w.tell("exe_a");
  expect(await w.codeOf("exe_a", "once")).toBe("started before");
});

describe("after the retention of the execution", () => {
  const over = async (reentry: Reentry) => {
    const w = world();
    await w.start("exe_a", reentry);
    w.end("exe_a");
    await w.tell("exe_a");
    w.forget("exe_a");
    w.later(LAPSED);
    return w;
  };

  test("once is refused, with another id and with the same", async () => {
    const w = await over("once");
    expect(await w.codeOf("exe_b", "once")).toBe("already_enrolled");
    expect(await w.codeOf("exe_a", "once")).toBe("already_enrolled");
    expect(w.cells.states()).toEqual([]);
  });

  test("after_finish starts again, with another id and with the same", async () => {
    const w = await over("after_finish");
    expect(await w.codeOf("exe_a", "after_finish")).toBe("started now");
    expect(await w.codeOf("exe_b", "after_finish")).toBe("already_enrolled");
  });
});

describe("lost calls", () => {
  test("a start whose Worker stopped between admission and cell blocks others for a minute only", async () => {
    const w = world();
    await w.admitOnly("exe_a", "once");
    expect(await w.codeOf("exe_b", "once")).toBe("already_enrolled");
    w.later(LAPSED);
    expect(await w.codeOf("exe_b", "once")).toBe("started now");
  });

  test("a start whose admission has expired is refused after another start was admitted", async () => {
    const w = world();
    const lost = await w.admitOnly("exe_a", "once");
    if (lost.kind !== "admitted") throw new Error("nobody was in it");
    w.later(LAPSED);
    await w.start("exe_b", "once");
    const late = planned("exe_a", "once");
    if (!late.ok) throw new Error("planned");
    const command = { ...late.value.command, subject: { key: "couple-1", until: lost.until } };
    const { subject: _subject, ...item } = { ...late.value, command };
    const [reply] = await w.cells.cell("acme/exe_a").start([item]);
    expect(reply).toMatchObject({ ok: false, refusal: { code: "unavailable" } });
  });

  test("an end whose message was lost is found at the next start", async () => {
    const w = world();
    await w.start("exe_a", "after_finish");
    w.end("exe_a");
    w.later(LAPSED);
    expect(await w.codeOf("exe_b", "after_finish")).toBe("started now");
    expect((await w.enrolments()).map(({ ended }) => ended?.status ?? null)).toEqual([null, "completed"]);
  });

  test("a live execution is read, and keeps another start out", async () => {
    const w = world();
    await w.start("exe_a", "after_finish");
    w.later(LAPSED);
    expect(await w.codeOf("exe_b", "after_finish")).toBe("already_enrolled");
  });

  test("a start is refused as unavailable if the earlier execution's cell does not answer", async () => {
    const w = world();
    await w.start("exe_a", "after_finish");
    w.later(LAPSED);
    const moving = () => Object.assign(new Error("moving"), { retryable: true });
    w.cells.failures = [moving(), moving()];
    expect(await w.codeOf("exe_b", "after_finish")).toBe("unavailable");
  });

  test("a repeated end, and the end of a deleted execution, are recorded once", async () => {
    const w = world();
    await w.start("exe_a", "once");
    expect(await w.tell("exe_a")).toBe(true); // it has not ended
    w.end("exe_a");
    expect([await w.tell("exe_a"), await w.tell("exe_a")]).toEqual([true, true]);
    w.forget("exe_a");
    expect(await w.tell("exe_a")).toBe(true);
    expect(await w.enrolments()).toMatchObject([{ ended: { status: "completed" } }]);
  });
});

test("a start that its cell refuses does not enroll the subject", async () => {
  const w = world();
  expect(await w.codeOf("exe_a", "once", { variables: { ok: false } })).toBe("variables_invalid");
  expect(await w.enrolments()).toEqual([]);
  expect(await w.codeOf("exe_b", "once")).toBe("started now");
});

test("a start that conflicts with an existing execution leaves that one enrolled", async () => {
  const w = world();
  await w.start("exe_a", "always");
  const [other] = [planned("exe_a", "always", { n: 2 })];
  if (!other?.ok) throw new Error("planned");
  const asked = accept({ ...other.value, command: { ...other.value.command, fingerprint: "g" } });
  const [reply] = await startFollowingMoves(w.deps, "acme", [asked], false);
  expect(reply).toMatchObject({ ok: false, refusal: { code: "idempotency_conflict" } });
  expect(await w.enrolments()).toHaveLength(1);
});

test("a dry run predicts the answer, and admits no start", async () => {
  const w = world();
  expect(await w.codeOf("exe_a", "once", { dryRun: true })).toBe("started now");
  expect(await w.enrolments()).toEqual([]);
  await w.start("exe_b", "once");
  expect(await w.codeOf("exe_c", "once", { dryRun: true })).toBe("already_enrolled");
});
