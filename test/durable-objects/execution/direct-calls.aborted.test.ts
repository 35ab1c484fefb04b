// Tests that a call is aborted when its outcome is no longer needed, and that its outcome is still applied.
import { expect, it } from "vitest";
import { openDirectCalls, type DirectCallResult } from "#objects/execution/direct-calls.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { success } from "#test/support/drive.ts";

const ticket = (run: string, attempt = 1) => ({ execution: "exe_1", run, attempt }) as Ticket; // these are all fields that direct calls read

function openSky() {
  const landed: DirectCallResult[] = [];
  const signals = new Map<string, AbortSignal>();
  const land = new Map<string, (outcome: Outcome) => void>();
  const flights = openDirectCalls(
    {
      callRunner: ({ run }, calledOff) => {
        signals.set(run, calledOff);
        return new Promise((resolve) => land.set(run, resolve));
      },
      runAfter: () => {},
      log: () => {},
    },
    async (landing) => void landed.push(landing),
  );
  return { flights, landed, land, isCalledOff: (run: string) => signals.get(run)?.aborted };
}

it("one call is aborted, and others continue", () => {
  const { flights, isCalledOff } = openSky();
  flights.start(ticket("1.1"));
  flights.start(ticket("1.2"));
  flights.abort("exe_1", "1.1", 1);
  expect([isCalledOff("1.1"), isCalledOff("1.2")]).toEqual([true, false]);
});

it("another attempt of the run is not aborted", () => {
  const { flights, isCalledOff } = openSky();
  flights.start(ticket("1.1", 2));
  flights.abort("exe_1", "1.1", 1);
  expect(isCalledOff("1.1")).toBe(false);
});

it("an aborted call stays in progress until its outcome is applied", async () => {
  const { flights, landed, land } = openSky();
  flights.start(ticket("1.1"));
  flights.abort("exe_1", "1.1", 1);
  expect(flights.has("exe_1", "1.1", 1)).toBe(true);
  land.get("1.1")?.(success());
  await Promise.resolve();
  expect(landed).toMatchObject([{ execution: "exe_1", command: { kind: "settle", run: "1.1", attempt: 1 } }]);
});

it("an abort of a completed or unknown call has no effect", async () => {
  const { flights, land, isCalledOff } = openSky();
  flights.start(ticket("1.1"));
  land.get("1.1")?.(success());
  await Promise.resolve();
  flights.abort("exe_1", "1.1", 1);
  flights.abort("exe_1", "9.9", 1);
  expect(isCalledOff("1.1")).toBe(false);
});
