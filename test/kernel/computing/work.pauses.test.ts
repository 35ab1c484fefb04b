// Parts of a paused computation: work without pauses recalls nothing.
import { expect, test } from "vitest";
import { recallPart, type Work } from "#kernel/computing/work.ts";

test("work without pauses recalls no part", () => {
  const work = { pauses: null } as unknown as Work; // the only field that is read
  expect(recallPart(work)).toBe(null);
});
