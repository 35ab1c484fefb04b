// Tests a cell's explanation of an execution, also of a quarantined one.
import { describe, expect, it } from "vitest";
import { actor, begin, openTestCell } from "#test/durable-objects/execution/cell.ts";
import { machine, minute, T0 } from "#test/support/drive.ts";

const ID = "exe_one_p1";
const waits = machine({ states: { wait: { after: { PT10M: "end" }, on: { go: "end" } }, end: { type: "final" } } });

async function world() {
  const opened = openTestCell();
  await opened.take(begin(ID, waits));
  await opened.wake();
  const explain = async (suspended = false) => opened.calls().explain({ execution: ID, suspended });
  return { ...opened, explain };
}

describe("an explanation", () => {
  it("predicts what the alarm does, and neither writes nor sends", async () => {
    const { explain, projections, armedAt, at, wake, calls } = await world();
    const before = [projections.length, armedAt()];
    const answer = await explain();
    expect(answer).toMatchObject({
      ok: true,
      value: { status: "waiting", next: { kind: "timer_fired", at: T0 + 10 * minute } },
    });
    expect([projections.length, armedAt()]).toEqual(before);
    at(10 * minute);
    await wake();
    const page = await calls().journal({ execution: ID, after: null, limit: 100 });
    const fired = page.ok ? page.value.entries.find(({ kind }) => kind === "timer_fired") : null;
    expect(fired).toMatchObject({ at: T0 + 10 * minute, timer: "wait/after/PT10M" });
    expect(await explain()).toMatchObject({
      ok: true,
      value: { status: "completed", ended: { at: T0 + 10 * minute } },
    });
  });

  it("contains whether the tenant is suspended", async () => {
    const { explain } = await world();
    expect(await explain(true)).toMatchObject({
      ok: true,
      value: { next: { by: "tenant" }, waits: [{ for: "tenant" }, {}, {}] },
    });
  });

  it("of an absent execution is refused", async () => {
    const { calls } = await world();
    const answer = await calls().explain({ execution: "exe_none_p1", suspended: false });
    expect(answer).toMatchObject({ ok: false, refusal: { code: "not_found" } });
  });
});

describe("an explanation of a quarantined execution", () => {
  it("that is unreadable has its identity, the reason and the next check", async () => {
    const { explain, rewrite, quarantined } = await world();
    rewrite(ID, (text) => text.replace('"v":1', '"v":99'));
    const answer = await explain();
    const lookAt = quarantined(ID)?.lookAt;
    expect(answer).toMatchObject({
      ok: true,
      value: {
        status: null,
        definition: { name: "sample" },
        next: { kind: null, earliest: lookAt },
        waits: [{ for: "engine", kind: "unreadable", until: lookAt }],
      },
    });
  });

  it("whose steps fail has the readable facts, and its cancellation succeeds", async () => {
    const { explain, rewrite, at, wake, calls, quarantined } = await world();
    rewrite(ID, (text) => text.replace('"action":null', '"action":"gone"'));
    at(11 * minute);
    await wake();
    expect(quarantined(ID)?.kind).toBe("broken");
    const answer = await explain();
    expect(answer).toMatchObject({ ok: true, value: { status: "waiting", states: ["wait"], next: { kind: null } } });
    expect(answer.ok && answer.value.waits[0]).toMatchObject({ for: "engine", kind: "broken" });
    const asked = { inputId: "in-c", fingerprint: "f", actor, reason: null } as const;
    await calls().control([{ execution: ID, command: { kind: "cancel", ...asked }, dryRun: false }]);
    expect(await explain()).toMatchObject({ ok: true, value: { ended: { status: "canceled" }, waits: [] } });
  });

  it("without a readable identity only has the quarantine", async () => {
    const { explain, rewrite, at, wake, quarantined } = await world();
    rewrite(ID, (text) => text.replace(/"definition":\{"id":"[^"]+"/, '"definition":{"id":"def_gone"'));
    at(11 * minute);
    await wake();
    expect(quarantined(ID)).toBeDefined();
    expect(await explain()).toMatchObject({ ok: true, value: { next: { kind: null } } });
  });

  it("that fails before the first step is an internal error", async () => {
    const { explain, rewrite, lines } = await world();
    rewrite(ID, (text) => text.replace('"states":["wait"]', '"states":["nowhere"]'));
    expect(await explain()).toMatchObject({ ok: false, refusal: { code: "internal_error" } });
    expect(lines.at(-1)).toMatchObject({ event: "item_failed", executions: [ID] });
  });
});
