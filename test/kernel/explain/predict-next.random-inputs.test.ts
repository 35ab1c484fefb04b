// Random inputs in random order: the execution can be explained, each prediction matches the engine's next entry, and
// each predicted result of an event matches its response.
import { expect, test } from "vitest";
import { explain } from "#kernel/explain/explain.ts";
import { compile } from "#kernel/programs/compile.ts";
import { step } from "#kernel/execution/step.ts";
import type { Explanation, PredictedEntry } from "#schema/engine/explanation.ts";
import type { Command } from "#schema/engine/input.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import { ask, drive, driveProgram, failure, hour, success, T0, type Drive } from "#test/support/drive.ts";
import { numbersFrom } from "#test/sim/kit/chance.ts";
import { anything, somethingHappens } from "../random-inputs.ts";
import { definitionOf, diceOf, graphOf } from "../programs/journey/random-journeys.ts";

const SEEDS = 20;

test.each(Array.from({ length: SEEDS }, (_, seed) => seed))("a machine, seed %i", (seed) => {
  const chance = numbersFrom(seed);
  const t = drive(anything).start();
  let now = 0;
  for (let each = 0; each < 40; each += 1) {
    now += Math.floor(chance() ** 4 * 200_000_000);
    somethingHappens(t.clock(now), chance);
    if (each % 2 === 0) agrees(t, now, `seed ${seed}, step ${each}`);
  }
});

test.each(Array.from({ length: SEEDS }, (_, seed) => seed))("a journey, seed %i", (seed) => {
  const dice = diceOf(seed);
  const definition = definitionOf(graphOf(dice));
  const t = driveProgram([compile(definition), compile(definition)]).start();
  for (let [each, now] = [0, 0]; each < 25 && t.status !== "completed"; each += 1) {
    agrees(t, now, `seed ${seed}, step ${each}`);
    const name = t.state.position.states[dice(t.state.position.states.length)] ?? "";
    const run = t.state.runs.findLast(({ action }) => action === name);
    if (run?.status === "queued") t.claim(run.id);
    else if (run?.status === "running") t.settle(run.id, dice(3) === 0 ? failure({ retryable: false }) : success());
    else if (run?.deadLetter) t.archive(run.id);
    else if (dice(2) === 0) t.attempt(ask.event(`${name}.e${dice(2)}`));
    else t.tickAt((now += hour));
  }
});

function agrees(t: Drive, now: number, where: string): void {
  const at = T0 + now;
  const { program, state, entries: recent } = t;
  const told = explain({ program, state, now: at, suspended: false, recent, quarantined: null });
  for (const each of [told.next, ...told.or]) expect(comes(t, each, at), where).toEqual(lineOf(each));
  const isDue = [told.next, ...told.or].some((each) => each.by === "time" && Number(each.at) <= at);
  if (!isDue) for (const [type, said] of fates(told)) expect([type, said], where).toContain(fateNow(t, type, at, said));
}

/** Makes the predicted entry happen; predictions that need an operator are not tried here. */
function comes(t: Drive, each: PredictedEntry, now: number): unknown {
  if (each.kind === null) return null;
  const run = t.state.runs.find(({ id }) => id === each.about["run"]);
  if (each.by === "time" && each.at !== null) {
    // No tick before the predicted instant writes an entry.
    if (each.at > now) expect(lines(t, ask.tick(), each.at - 1)).toEqual([]);
    return lines(t, ask.tick(), each.at)[0];
  }
  if (each.by !== "runner" || run === undefined) return lineOf(each);
  if (run.status === "queued") return lines(t, ask.claim(run.id, run.attempt), now)[0];
  return lines(t, ask.settle(run.id, run.attempt, each.assumes === "ok" ? success() : failure()), now)[0];
}

type Said = { readonly kind: string; readonly run: unknown; readonly timer: unknown };

function lineOf({ kind, about }: PredictedEntry): Said | null {
  return kind === null ? null : { kind, run: about["run"], timer: about["timer"] };
}

function lines(t: Drive, command: Command, now: number): readonly Said[] {
  return made(t, command, now).map((entry) => {
    const { run, timer } = entry as { readonly run?: string; readonly timer?: string }; // the entry has one of the two
    return { kind: entry.kind, run, timer };
  });
}

function made(t: Drive, command: Command, now: number): readonly JournalEntry[] {
  const stepped = step(t.program, t.state, { ...command, now, room: 0 });
  return stepped.ok ? stepped.entries : [];
}

function fates({ waits, notNow }: Explanation): readonly (readonly [string, string])[] {
  return [
    ...waits.flatMap((wait) => (wait.for === "event" && wait.event !== "*" ? [[wait.event, wait.would] as const] : [])),
    ...notNow.map(({ event, would, code }) => [event, code ?? would] as const),
  ];
}

/** The real result of the event; if it depends on the payload, both results are accepted. */
function fateNow(t: Drive, type: string, now: number, said: string): string {
  const stepped = step(t.program, t.state, { ...ask.event(type), now, room: 0 });
  if (said === "depends") return said;
  if (!stepped.ok) return said === "refused" ? said : stepped.refusal.code;
  const kept = stepped.entries.some(({ kind }) => kind === "event_buffered");
  return kept ? "kept" : "accepted";
}
