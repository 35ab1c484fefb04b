// Some hundred worlds, the worlds that once failed, and proof that the oracle detects mistakes. `npm run sim` runs
// more.
import { describe, expect, it } from "vitest";
import { mutations } from "./mutations.ts";
import { regressions } from "./regressions.ts";
import { scenarios } from "./all-scenarios.ts";
import { expectNoticed, expectSound, seedCount, seedsTo, type Report } from "./kit/seeds.ts";
import { simulate } from "./simulate.ts";

const SEEDS_EACH = seedCount(4, 15);
/** Some worlds are slow: a step that uses its whole budget takes a tenth of a second, and is repeated several times. */
const WORLDS_MS_MAX = seedCount(30_000, 120_000);
/** A mutation must be detected within this many worlds. */
const CAUGHT_WITHIN = 60;
const names = Object.keys(scenarios);

/** A report with the command that replays the world. */
async function reportOf(
  scenario: string,
  seed: number,
  tamper?: (typeof mutations)[keyof typeof mutations],
): Promise<Report> {
  const report = await simulate({ scenario, seed, ...(tamper === undefined ? {} : { tamper }) });
  const again = `npm run sim -- --seed ${seed} --scenario ${scenario} --trace`;
  return { ...report, trace: [...report.trace, again] };
}

describe.each(names)("%s", (scenario) => {
  it(
    `ends in ${SEEDS_EACH} rough worlds as it ends in calm ones`,
    () => expectSound(seedsTo(SEEDS_EACH), (seed) => reportOf(scenario, seed)),
    WORLDS_MS_MAX,
  );
});

describe("worlds that once went wrong", () => {
  it.each(regressions)(
    "$was",
    ({ scenario, seed }) => expectSound([seed], () => reportOf(scenario, seed)),
    WORLDS_MS_MAX,
  );
});

describe("the simulator", () => {
  it.each(names)(
    "lives through the same world twice when given one seed twice: %s",
    async (scenario) => {
      const first = await simulate({ scenario, seed: 7 });
      const second = await simulate({ scenario, seed: 7 });
      expect(second.hash).toBe(first.hash);
      expect(second.trace).toEqual(first.trace);
    },
    WORLDS_MS_MAX,
  );

  it("lives through different worlds for different seeds", async () => {
    const first = await simulate({ scenario: "pool", seed: 1 });
    const second = await simulate({ scenario: "pool", seed: 2 });
    expect(second.hash).not.toBe(first.hash);
  });

  it.each(Object.entries(mutations))(
    "notices when %s",
    (_, tamper) =>
      expectNoticed(CAUGHT_WITHIN, (seed) => reportOf(names[seed % names.length] ?? "sequence", seed, tamper)),
    WORLDS_MS_MAX,
  );
});
