// Some hundred worlds of an operation over executions. It ends, no execution gets a command twice, none that matches is
// left out, its counts are correct, and it keeps its rate. Deliberate mistakes are detected.
import { expect, test } from "vitest";
import { second } from "#test/support/drive.ts";
import { expectNoticed } from "../kit/seeds.ts";
import { EVENT, OperationsWorld, type Spoil } from "./operations-world.ts";

const SEEDS = 120;
const CAUGHT_WITHIN = 40;
const TURNS = 60;
const CALM_TURNS = 2_000;
const PATIENCE_MS = 120_000;

async function liveThrough(seed: number, spoil: Spoil = {}): Promise<OperationsWorld> {
  const world = new OperationsWorld(seed, spoil);
  await world.populate();
  await world.controller.open(world.terms).catch(() => null);
  // The client repeats its request until it gets a response.
  if ((await world.controller.read()) === null) await world.controller.open(world.terms);
  for (let n = 0; n < TURNS; n++) await world.turn();
  world.isCalm = true;
  for (let n = 0; n < CALM_TURNS && world.closed === 0; n++) await world.turn();
  return world;
}

async function findingsOf(world: OperationsWorld): Promise<readonly string[]> {
  const findings: string[] = [];
  const view = await world.controller.read();
  if (view === null || view.finishedAt === null) return [`it has not ended: ${JSON.stringify(view)}`];
  const states = new Map(world.cells.states().map((state) => [state.id, state]));
  const heard = (id: string): boolean => (states.get(id)?.receipts ?? []).some(({ inputId }) => inputId === "op_1");
  for (const { id } of world.rows) {
    if (states.get(id)?.position.states.includes("twice")) findings.push(`${id} heard ${EVENT} twice`);
    if (world.moved.has(id) && heard(id)) findings.push(`${id} heard it where it was not meant any more`);
  }
  const { counts, matched, status } = view;
  const all = (tally: { readonly [what: string]: number }) => Object.values(tally).reduce((sum, n) => sum + n, 0);
  const turns = counts.released + counts.gone + all(counts.skipped) + all(counts.refused);
  const told = world.rows.filter(({ id }) => heard(id)).length;
  if (status === "done") {
    if (turns !== matched) findings.push(`${turns} turns of ${matched}`);
    if (counts.released !== told) findings.push(`it says ${counts.released}, and ${told} have heard it`);
    for (const { id, isPoisoned } of world.rows) {
      if (!isPoisoned && !world.moved.has(id) && !heard(id)) findings.push(`${id} was passed over`);
    }
    const broken = world.rows.filter(({ id, isPoisoned }) => isPoisoned && !world.moved.has(id)).length;
    if ((counts.refused["internal_error"] ?? 0) < broken) findings.push("one that breaks was not given up by name");
  } else if (counts.released > told) findings.push(`it says ${counts.released}, and only ${told} have heard it`);
  for (const { at } of world.asked) {
    const within = world.asked.filter((each) => each.at <= at && each.at > at - second);
    const items = within.reduce((sum, each) => sum + each.items, 0);
    if (items > world.terms.perSecond) findings.push(`${items} in the second before ${at}`);
  }
  return findings;
}

test(
  "an operation in a rough world",
  async () => {
    const ends = new Set<string>();
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const world = await liveThrough(seed);
      const findings = await findingsOf(world);
      expect(findings, [`seed ${seed}`, ...findings, ...world.trace].join("\n")).toEqual([]);
      ends.add((await world.controller.read())?.status ?? "none");
    }
    expect([...ends].toSorted(), "worlds of each kind").toEqual(["aborted", "done", "stopped"]);
  },
  PATIENCE_MS,
);

test("is lived through the same way twice", async () => {
  const [first, again] = [await liveThrough(7), await liveThrough(7)];
  expect(await again.controller.read()).toEqual(await first.controller.read());
  expect(again.asked).toEqual(first.asked);
});

test.each<[string, Spoil]>([
  [
    "a command that has another id each time it is sent",
    { asked: (item, chance) => ({ ...item, command: { ...item.command, inputId: `${chance.draw()}` } }) },
  ],
  ["a page that begins one too late", { found: ({ found, cursor }) => ({ found: found.slice(1), cursor }) }],
  ["asking those, too, that stand elsewhere by now", { asked: ({ only: _only, ...item }) => item }],
])(
  "the oracle notices %s",
  (_mistake, spoil) =>
    expectNoticed(CAUGHT_WITHIN, async (seed) => ({ findings: await findingsOf(await liveThrough(seed, spoil)) })),
  PATIENCE_MS,
);
