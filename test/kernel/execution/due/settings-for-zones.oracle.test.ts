// 1,000 people in 40 zones, over both clock changes of their zone: each gets the 10:00 of their own zone, from one
// definition whose zone is a rule. The oracle searches the instants with Intl only and shares no code with the calendar.
import { expect, test } from "vitest";
import { step } from "#kernel/execution/step.ts";
import { compile } from "#kernel/programs/compile.ts";
import type { Program } from "#kernel/execution/program.ts";
import type { Command } from "#schema/engine/input.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { aheadAt, changesOf } from "#test/kernel/calendar/clock-changes.ts";
import { action, ask, day, hour, machine, minute } from "#test/support/drive.ts";
import { variable, windowedProgram } from "./windows.ts";

/** With changes of an hour, of half an hour, at midnight, in the south, none, and odd offsets. */
const zones = [
  ...["Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Chatham", "Pacific/Apia", "Pacific/Kiritimati"],
  ...["Europe/Zurich", "Europe/London", "Europe/Lisbon", "Europe/Athens", "Europe/Chisinau", "Europe/Moscow"],
  ...["America/New_York", "America/St_Johns", "America/Los_Angeles", "America/Phoenix", "America/Havana"],
  ...["America/Santiago", "America/Asuncion", "America/Sao_Paulo", "America/Scoresbysund", "America/Nuuk"],
  ...["America/Adak", "America/Caracas", "America/Mexico_City", "Asia/Tokyo", "Asia/Kolkata", "Asia/Tehran"],
  ...["Asia/Beirut", "Asia/Jerusalem", "Asia/Yangon", "Asia/Pyongyang", "Australia/Adelaide", "Australia/Eucla"],
  ...["Australia/Darwin", "Pacific/Auckland", "Pacific/Marquesas", "Africa/Cairo", "Africa/Casablanca"],
  ...["Antarctica/Troll", "UTC"],
];
const PEOPLE_A_ZONE = 25;

type Person = { readonly zone: string; readonly start: number };

/** Starts up to nine days before each change of 2026, at odd times. Zones without a change get those of Zurich. */
const people: readonly Person[] = zones.flatMap((zone) => {
  const own = changesOf(zone, 2026, 2027).map(({ at }) => at);
  const changes = own.length > 0 ? own : [Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1)];
  return Array.from({ length: PEOPLE_A_ZONE }, (_, n) => {
    const change = Number(changes[n % changes.length]);
    return { zone, start: change - (n % 10) * day + ((n * 7) % 24) * hour + ((n * 13) % 60) * minute };
  });
});
/** Apia had no 30 December 2011. */
const inApia: readonly Person[] = [28, 29, 31].map((date) => ({
  zone: "Pacific/Apia",
  start: Date.UTC(2011, 11, date, 3),
}));
const all = [...people, ...inApia];

const timezone = { rule: variable("zone"), fallback: "Europe/Zurich" };
const both = (part: Parameters<typeof machine>[0]) => compile(machine({ timezone, ...part }));

function started(program: Program, { zone, start }: Person): ExecutionState {
  return stepped(program, null, ask.start({ zone }), start);
}

function stepped(program: Program, state: ExecutionState | null, command: Command, now: number): ExecutionState {
  const result = step(program, state, { ...command, now, room: 0 });
  if (!result.ok) throw new Error(result.refusal.message);
  return result.state;
}

/** Midnight of the local date, as if the clock showed UTC. */
const dateOf = (zone: string, at: number) => Math.floor((at + aheadAt(zone, at)) / day) * day;

/** The first instant at which the clock shows the reading; a reading that it skips moves by the length of the gap. */
function firstShowing(zone: string, reading: number): number {
  const aheads = [];
  for (let at = reading - 30 * hour; at <= reading + 30 * hour; at += 2 * hour) aheads.push(aheadAt(zone, at));
  const shown = aheads.map((ahead) => reading - ahead).filter((at) => at + aheadAt(zone, at) === reading);
  return shown.length > 0 ? Math.min(...shown) : reading - Number(aheads[0]);
}

const delays = {
  two: { offset: "P2D", at: "10:00" },
  // At these times the clocks of many of the zones change.
  early: { offset: "P1D", at: "02:15" },
  midnight: { offset: "P3D", at: "00:00" },
};

test("named delays", () => {
  const program = both({ delays, states: { a: { after: { two: "b", early: "b", midnight: "b" } }, b: {} } });
  const got = all.map((person) => started(program, person).timers.map(({ at }) => at));
  const wanted = all.map(({ zone, start }) => {
    const date = dateOf(zone, start);
    return [
      firstShowing(zone, date + 2 * day + 10 * hour),
      firstShowing(zone, date + day + 2 * hour + 15 * minute),
      firstShowing(zone, date + 3 * day),
    ];
  });
  expect(got).toEqual(wanted);
});

test("a weekly schedule, two occurrences", () => {
  const mail = action("mail", { triggerState: "a", schedule: "0 10 * * SUN" });
  const program = both({ actions: [mail], states: { a: { on: { x: {} } } } });
  const occurrence = (state: ExecutionState) => Number(state.timers[0]?.at);
  const got = all.map((person) => {
    const state = started(program, person);
    return [occurrence(state), occurrence(stepped(program, state, ask.tick(), occurrence(state)))];
  });
  const wanted = all.map(({ zone, start }) => {
    const sundays = Array.from({ length: 30 }, (_, n) => dateOf(zone, start) + (n - 1) * day)
      .filter((date) => new Date(date).getUTCDay() === 0)
      .map((date) => firstShowing(zone, date + 10 * hour));
    return sundays.filter((at) => at > start).slice(0, 2);
  });
  expect(got).toEqual(wanted);
});

test("a window", () => {
  const part = { actions: [action("mail", { triggerState: "a" })], states: { a: { on: { x: {} } } } };
  const program = windowedProgram({ from: "10:00", to: "10:45", timezone }, part);
  const got = all.map((person) =>
    started(program, person).runs.map(({ status, dueAt }) => (status === "queued" ? person.start : dueAt)),
  );
  const wanted = all.map(({ zone, start }) => {
    const opens = [-1, 0, 1, 2].map((n) => firstShowing(zone, dateOf(zone, start) + n * day + 10 * hour));
    const closes = [-1, 0, 1, 2].map((n) =>
      firstShowing(zone, dateOf(zone, start) + n * day + 10 * hour + 45 * minute),
    );
    const isOpen = opens.some((at, n) => at <= start && start < Number(closes[n]));
    return [isOpen ? start : opens.find((at) => at > start)];
  });
  expect(got).toEqual(wanted);
});

test("there are 1,000 people in 40 zones", () => {
  expect([new Set(zones).size, people.length]).toEqual([40, 1_000]);
});
