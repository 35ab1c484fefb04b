// A thousand requests that nobody would send who means well: each is answered, in our words, and changes nothing that it
// did not say. The same seed makes the same requests.
import { beforeAll, describe, expect, test } from "vitest";
import { problem } from "#wire/problem.ts";
import { chanceOf } from "#test/sim/chance.ts";
import { must } from "#test/support/api.ts";
import { endpoints } from "#test/support/endpoints.ts";
import { addressIn, oneOfEach, type World } from "#test/support/one-of-each.ts";
import { hostileOf, type Hostile } from "./hostile.ts";

const REQUESTS = 1_000;
const SEEDS = 20;
const ANSWERED_WITHIN_MS = 10_000;

let world: World;
beforeAll(async () => {
  world = await oneOfEach();
});

const statuses: number[] = [];
describe.each(Array.from({ length: SEEDS }, (_, seed) => seed))("seed %i", (seed) => {
  test("is answered without a mistake of ours, and with a problem where it is refused", async () => {
    const chance = chanceOf(`hostile ${seed}`);
    for (let n = 0; n < REQUESTS / SEEDS; n++) {
      const { made, owner, names } = world;
      const endpoint = chance.pick(endpoints as [(typeof endpoints)[number]]);
      const request = hostileOf(chance, endpoint, (path) => addressIn(names, path));
      const shown = `${request.method} ${request.path.slice(0, 200)} ${JSON.stringify(request.headers)} ${textOf(request).slice(0, 300)}`;
      const answered = made.fetch(`https://api.test${request.path}`, {
        method: request.method,
        headers: { Authorization: `Bearer ${owner.key}`, ...request.headers },
        ...(request.raw === null ? {} : { body: request.raw }),
      });
      const response = await within(answered, shown);
      statuses.push(response.status);
      response.webSocket?.accept();
      const text = await response.text();
      expect(response.status, `${shown}\n${text}`).toSatisfy(
        (status: number) => status < 500 || isOurWord(status, text),
      );
      if (response.status >= 400 && request.method !== "HEAD") {
        expect(response.headers.get("Content-Type"), shown).toMatch(/^application\/problem\+json/);
        expect(problem.strict().safeParse(JSON.parse(text)).error, `${shown}\n${text}`).toBeUndefined();
      }
      if (response.status === 201) await sameAsSent(endpoint.operationId, request, JSON.parse(text));
    }
  }, 60_000);
});

test("and some of all kinds were sent: not so wild that nothing behind the first check ever saw them", () => {
  expect(statuses).toHaveLength(REQUESTS);
  for (const status of [200, 201, 400, 404, 405, 422]) expect(statuses).toContain(status);
  expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(REQUESTS / 10);
});

/** What this installation is not set up for is said with 501, and an object may be busy. */
function isOurWord(status: number, text: string): boolean {
  return status === 501 && JSON.parse(text).code === "not_configured";
}

async function within(answered: Promise<Response>, shown: string): Promise<Response> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer: ${shown}`)), ANSWERED_WITHIN_MS);
  return Promise.race([answered, promise]).finally(() => clearTimeout(timer));
}

function textOf({ raw }: Hostile): string {
  return typeof raw === "string" ? raw : new TextDecoder().decode(raw ?? new Uint8Array());
}

/** What was taken is what was sent. */
async function sameAsSent(operation: string, request: Hostile, answer: { execution?: { id: string } }): Promise<void> {
  const { made, owner } = world;
  if (operation !== "startExecution" || answer.execution === undefined) return;
  const { variables = {} } = JSON.parse(textOf(request)) as { variables?: object };
  const { body } = await must(200, made.ask("GET", `/v1/executions/${answer.execution.id}`, { key: owner.key }));
  expect(body.variables).toMatchObject(variables);
}
