// Seeded worlds of subjects: no cap is exceeded in any window, whatever sends the messages. No message leaves outside the
// opening hours, once means once, after_finish never runs two at a time. At rest every client has a response, every
// message is sent, and no subject is blocked.
import { expect, test } from "vitest";
import { nextOpening } from "#kernel/calendar/opening-hours.ts";
import { hour } from "#test/support/drive.ts";
import { seedCount } from "../kit/seeds.ts";
import { CAP, JOURNEYS, OTHERS, SUBJECTS, SubjectsWorld, TIMEOUT_MS, type Began } from "./subjects-world.ts";

const SEEDS = seedCount(10, 25);
const TURNS = 400;
const CALM_TURNS = 20_000;

/** Times at which the window before them had more of one subject's messages than its cap allows. */
function exceeded({ sent }: SubjectsWorld): readonly object[] {
  return sent.flatMap(({ subject, at }) => {
    const keys = new Set(
      sent
        .filter((each) => each.subject === subject && each.at <= at && each.at > at - CAP.windowMs + TIMEOUT_MS)
        .map(({ key }) => key),
    );
    return keys.size > CAP.max ? [{ subject, at, keys: [...keys] }] : [];
  });
}

/** Messages that were sent outside the opening hours. A message leaves within the timeout of its claim. */
function outsideHours({ sent, window }: SubjectsWorld): readonly object[] {
  return sent.filter(({ at }) => {
    const claimed = [at, at - TIMEOUT_MS].map((ms) => nextOpening(window, "UTC", ms));
    return claimed.every((opening, n) => opening === null || opening.opens > at - n * TIMEOUT_MS);
  });
}

function overlapping({ began, ended }: SubjectsWorld): readonly object[] {
  const endOf = ({ execution }: Began): number => ended.get(execution) ?? Infinity;
  return began.flatMap((one, n) =>
    began
      .slice(n + 1)
      .filter((other) => one.journey === other.journey && one.subject === other.subject)
      .filter(() => JOURNEYS.some(({ name, reentry }) => name === one.journey && reentry !== "always"))
      .filter((other) => one.journey === "once" || (one.at < endOf(other) && other.at < endOf(one)))
      .map((other) => ({ one, other })),
  );
}

test.each(Array.from({ length: SEEDS }, (_, seed) => seed))("subjects keep what they say (seed %i)", async (seed) => {
  const world = new SubjectsWorld(seed);
  for (let n = 0; n < TURNS; n++) await world.turn();
  expect(world.began.length, "worlds in which something happens").toBeGreaterThan(2);
  world.isCalm = true;
  const isAtRest = (): boolean => world.isIdle && world.cells.states().length === 0;
  for (let n = 0; n < CALM_TURNS && !isAtRest(); n++) await world.turn();
  expect(isAtRest(), "all have ended, have told, and are gone").toBe(true);
  expect(exceeded(world)).toEqual([]);
  expect(overlapping(world)).toEqual([]);
  expect(outsideHours(world)).toEqual([]);
  expect(world.began.filter(({ execution }) => !world.ended.has(execution))).toEqual([]);
  world.now += hour;
  for (const subject of SUBJECTS)
    for (const { name } of [...JOURNEYS, ...OTHERS]) {
      const hadIt = world.began.some((each) => each.journey === name && each.subject === subject);
      const said: string[] = [];
      void world.client(subject, name).then((answer) => said.push(answer));
      for (let n = 0; n < 200 && said.length === 0; n++) await world.turn();
      expect(said, `${subject} in ${name}`).toEqual([name === "once" && hadIt ? "already_enrolled" : "started"]);
    }
});
