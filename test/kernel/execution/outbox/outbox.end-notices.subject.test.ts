// Executions with a subject: they start while the subject admits them, and send an end notice to the subject's object.
import { describe, expect, test } from "vitest";
import { compile } from "#kernel/programs/compile.ts";
import type { Command } from "#schema/engine/input.ts";
import { ask, day, driveProgram, hour, machine, minute, T0, type Drive } from "#test/support/drive.ts";
import { messageOf, sendsOf } from "#test/support/outbox/messages.ts";

const states = { a: { on: { end: "done" } }, done: { type: "final" as const } };
const until = T0 + minute;

function about(admitted: number | null = until): Drive {
  const definition = machine({ states });
  return driveProgram([compile(definition), compile(definition)], 0, { subject: { key: "couple-1", until: admitted } });
}
const sent = (t: Drive): number => sendsOf(t, "subject_ended");
const owed = (t: Drive) => messageOf(t.state, "subject_ended");
const told = (incarnation = T0): Command => ({
  kind: "confirmed",
  incarnation,
  items: [{ kind: "subject_ended", key: "couple-1" }],
});

describe("a start", () => {
  test("under an admission stores its subject, and has no message yet", () => {
    const t = about().start();
    expect(t.state.subject).toEqual({ key: "couple-1" });
    expect([sent(t), t.wake]).toEqual([0, null]);
  });

  test.each([
    ["is taken to the last millisecond of its admission", minute, null],
    ["is refused after that, and may come again", minute + 1, "unavailable"],
  ])("%s", (_name, at, code) => {
    const t = about().clock(at);
    const begin = ask.start({}, { subject: { key: "couple-1", until } });
    if (code === null) expect(t.take(begin).status).toBe("waiting");
    else expect(t.refused(begin).code).toBe(code);
  });

  test("that can only be a repeat begins nothing, and finds the first answer where there is one", () => {
    expect(about(null).refused(ask.start({}, { subject: { key: "couple-1", until: null } })).code).toBe(
      "already_enrolled",
    );
    const t = about().start();
    expect(t.take(ask.start({}, { subject: { key: "couple-1", until: null } })).repeated).toBe(true);
  });
});

describe("the end", () => {
  test("is notified at once, again with growing gaps, and history stays until it is confirmed", () => {
    const t = about().start().event("end");
    expect([sent(t), t.wake]).toEqual([1, minute]);
    t.tickAt(minute);
    expect([sent(t), owed(t)]).toEqual([1, { kind: "subject_ended", key: "couple-1", sentAt: T0 + minute, tries: 2 }]);
    t.tickAt(8 * day);
    expect(t.effects.some(({ kind }) => kind === "purge")).toBe(false);
    t.take(told());
    expect(owed(t)).toBeUndefined();
    expect(t.newLines().at(-1)).toContain("subject_notified");
    t.tickAt(8 * day + 1);
    expect(t.effects.some(({ kind }) => kind === "purge")).toBe(true);
  });

  test("is projected once: its confirmation changes no list", () => {
    const t = about().start().event("end");
    const lists = (): boolean => t.effects.some(({ kind }) => kind === "project");
    expect(lists()).toBe(true);
    t.tickAt(minute);
    expect([owed(t)?.tries, lists()]).toEqual([2, false]);
    t.take(told());
    expect([owed(t), lists()]).toEqual([undefined, false]);
    t.tickAt(8 * day);
    expect(lists()).toBe(true);
  });

  test("is not told again before its time", () => {
    const t = about()
      .start()
      .event("end")
      .tickAt(minute - 1);
    expect(sent(t)).toBe(0);
  });

  test("that is confirmed twice, or of another life, changes nothing", () => {
    const t = about().start().event("end");
    t.take(told(T0 - 1));
    expect(owed(t)?.sentAt).toBe(T0);
    t.take(told());
    const { seq } = t.state;
    t.clock(hour).take(told());
    expect(t.state.seq).toBe(seq);
  });

  test("without confirmation prevents erasure", () => {
    const t = about().start().event("end");
    expect(t.refused(ask.erase()).code).toBe("execution_live");
    t.take(told()).take(ask.erase());
    expect(t.effects.some(({ kind }) => kind === "purge")).toBe(true);
  });
});
