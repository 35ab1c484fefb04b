// Tests the parsing of the time that an event waits for an execution.
import { expect, test } from "vitest";
import { parseKeepMs } from "#policy/directory/keep-for.ts";

const DAY = 24 * 3_600_000;
test.each([
  [undefined, DAY],
  [false, 0],
  ["PT1H", 3_600_000],
  [1_000, 1_000],
  ["P7D", 7 * DAY],
] as const)("%s is parsed as %i ms", (written, ms) => {
  expect(parseKeepMs(written)).toEqual({ ok: true, value: ms });
});

test.each(["P8D", "P1M", "PT0.5S", 999, 7 * DAY + 1] as const)("%s is refused at its pointer", (written) => {
  const errors = [{ pointer: "/target/keep", code: "out_of_range" }];
  expect(parseKeepMs(written, "/target/keep")).toMatchObject({ ok: false, refusal: { code: "invalid_input", errors } });
});
