// Tests the caps of subjects in a virtual run.
import { expect, test } from "vitest";
import { openCaps } from "#policy/subject/open-caps.ts";
import { hour, T0 } from "#test/support/drive.ts";

type Asked = Parameters<ReturnType<typeof openCaps>>[0];

function asked(id: string, cap: object | undefined): Asked {
  return { run: { id, ...(cap === undefined ? {} : { cap }) }, at: T0 } as unknown as Asked; // the function reads only these fields
}

const capped = (over: string) => ({ name: "gentle", max: 1, window: { kind: "rolling", ms: hour }, over });
const state = {} as never; // the function does not read the state

test("a run without a cap is admitted and uses no slot", () => {
  const gate = openCaps();
  expect(gate(asked("1.0", undefined), state)).toBeNull();
  expect(gate(asked("1.1", capped("wait")), state)).toBeNull();
});

test("a run beyond the cap waits or is skipped", () => {
  const gate = openCaps();
  gate(asked("1.0", capped("wait")), state);
  expect(gate(asked("1.1", capped("wait")), state)).toMatchObject({ reason: "cap", connection: null });
  expect(gate(asked("1.2", capped("skip")), state)).toEqual({ skipped: "capped", nextAt: T0 + hour });
});

test("each subject has slots of its own", () => {
  const gate = openCaps();
  const of = (subject: string) => ({ ...capped("skip"), subject });
  expect(gate(asked("1.0", of("ada")), state)).toBeNull();
  expect(gate(asked("1.1", of("bob")), state)).toBeNull();
  expect(gate(asked("1.2", of("ada")), state)).toEqual({ skipped: "capped", nextAt: T0 + hour });
});
