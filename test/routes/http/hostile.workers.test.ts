// A thousand hostile requests: each gets an answer of the API, and changes nothing besides its effect. Each seed is a
// world of its own and can be replayed alone; HOSTILE_SEEDS=1000..1200 runs others.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { problem } from "#wire/problem.ts";
import { chanceOf } from "#test/sim/kit/chance.ts";
import { must, shop, type Ask } from "#test/support/api.ts";
import { endpoints } from "#test/support/endpoints.ts";
import { addressIn, oneOfEach, type World } from "#test/support/one-of-each.ts";
import { answerTo, isOurWord, textOf } from "./send-hostile.ts";
import { hostileOf, type Hostile } from "./hostile.ts";

const REQUESTS = 1_000;
const SEEDS = 20;
const { DB, HOSTILE_SEEDS: asked } = env as unknown as { DB: D1Database; HOSTILE_SEEDS: string };
const [first = 0, last = SEEDS - 1] = asked === "" ? [] : asked.split("..").map(Number);

const statuses: number[] = [];
const operations = new Set<string>();

describe.each(Array.from({ length: last - first + 1 }, (_, n) => first + n))("seed %i", (seed) => {
  let world: World;
  /** The tenant that the root key's requests name. */
  let victim: string;
  beforeAll(async () => {
    world = await oneOfEach();
    ({ tenant: victim } = await shop(world.made));
  });

  test("gets no internal error; a refusal is a problem document and changes nothing", async () => {
    const chance = chanceOf(`hostile ${seed}`);
    let before = await stored(world);
    for (let n = 0; n < REQUESTS / SEEDS; n++) {
      // The seeds go through all endpoints in turn, so that none depends on chance. A new endpoint is included
      // automatically.
      const endpoint = endpoints[(seed * (REQUESTS / SEEDS) + n) % endpoints.length] as (typeof endpoints)[number];
      const isRoots = chance.yes(endpoint.path.startsWith("/v1/tenants") ? 0.7 : 0.05);
      const names = isRoots ? { ...world.names, tenants: { id: victim } } : world.names;
      const request = hostileOf(chance, endpoint, (path) => addressIn(names, path));
      const shown = `seed ${seed}, request ${n}: ${request.method} ${request.path.slice(0, 200)} ${JSON.stringify(request.headers)} ${textOf(request).slice(0, 300)}`;
      const { status, headers, text } = await answerTo(world, request, isRoots ? victim : null, shown);
      statuses.push(status);
      operations.add(endpoint.operationId);
      expect(status, `${shown}\n${text}`).toSatisfy((code: number) => code < 500 || isOurWord(code, text));
      if (request.isLossy) expect(status, `${shown}\n${text}`).toBeGreaterThanOrEqual(400);
      if (status >= 400 && request.method !== "HEAD") {
        expect(headers.get("Content-Type"), shown).toMatch(/^application\/problem\+json/);
        expect(problem.strict().safeParse(JSON.parse(text)).error, `${shown}\n${text}`).toBeUndefined();
      }
      const after = await stored(world);
      // Completing a task whose execution no longer needs it closes the task as withdrawn, which is a change.
      const isFoundOver = text.includes('"code":"task_closed"') && text.includes("was withdrawn");
      if (status >= 400 && !isFoundOver)
        expect(after, `refused, and yet something changed: ${shown}\n${text}`).toEqual(before);
      before = after;
      const reader = isRoots ? { headers: { "X-Tenant": victim } } : { key: world.owner.key };
      if (status === 201) await sameAsSent(world, endpoint.operationId, request, JSON.parse(text), reader);
    }
  }, 60_000);
});

test.skipIf(asked !== "")("and every endpoint was asked, now and then so that more than the first check saw it", () => {
  expect(statuses).toHaveLength(REQUESTS);
  for (const status of [200, 201, 400, 403, 404, 405, 422]) expect(statuses).toContain(status);
  expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(REQUESTS / 10);
  expect([...operations].toSorted()).toEqual(endpoints.map(({ operationId }) => operationId).toSorted());
});

/** All rows that a refusal must leave unchanged. */
async function stored({ made }: World): Promise<object> {
  const named = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'`;
  const { results: tables } = await DB.prepare(named).all<{ name: string }>();
  const counts = tables.map(({ name }) => `(SELECT count(*) FROM "${name}") AS "${name}"`);
  const rows = await DB.prepare(`SELECT ${counts.join(", ")}`).first();
  return { rows, executions: made.cells.states().map(({ id, seq }) => `${id} ${seq}`) };
}

/** An accepted body is stored exactly as sent. */
async function sameAsSent(
  { made }: World,
  operation: string,
  request: Hostile,
  answer: { execution?: { id: string } },
  reader: Ask,
): Promise<void> {
  if (operation !== "startExecution" || answer.execution === undefined) return;
  const { variables = {} } = JSON.parse(textOf(request)) as { variables?: object };
  const { body } = await must(200, made.ask("GET", `/v1/executions/${answer.execution.id}`, reader));
  expect(body.variables).toMatchObject(variables);
}
