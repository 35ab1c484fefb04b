// A greedy tenant beside another one in the shared queue: the platform runs 250 invocations of a consumer at once, here
// with one message each, and a new one begins only when one has ended.
import { expect, it } from "vitest";
import { QUEUE_SHARE_ALL, QUEUE_SHARE_MIN } from "#schema/limits/run-attempts.ts";
import { engine, PROVIDER, provider, until } from "../engine.ts";
import { deliver, holdActions } from "../queues.ts";

const CONSUMERS_MAX = 250;
const GREEDY_ACTIONS = 300;
const AT_ONCE = 100;

const act = (path: string) => ({ type: "webhook", config: { url: `${PROVIDER}/${path}` }, lane: "queue" });

it("a tenant whose slow actions would occupy every consumer leaves room for another tenant's action", async () => {
  const { messages } = holdActions();
  const slow = Promise.withResolvers<void>();
  const { calls } = provider(async ({ url }) => {
    if (url.pathname === "/slow") await slow.promise;
    return Response.json({ ok: true });
  });
  const callsTo = (path: string): number => calls.filter(({ url }) => url.pathname === path).length;
  const [greedy, other] = [await engine(), await engine()];
  const body = { actions: Array.from({ length: AT_ONCE }, () => act("slow")) };
  const ids: string[] = [];
  for (let n = 0; n < GREEDY_ACTIONS; n += AT_ONCE) {
    const { results } = await greedy.must(200, "POST", "/v1/actions/batch", { body });
    ids.push(...results.map(({ id }: { readonly id: string }) => id));
  }
  await until("the greedy tenant's actions are queued", () => (messages.length >= GREEDY_ACTIONS ? true : null));
  await other.must(201, "POST", "/v1/actions", { body: act("fast") });
  await until("the other tenant's action is queued", () => (messages.length > GREEDY_ACTIONS ? true : null));

  const consumed = consumeAll(messages);
  await until("the other tenant's action is carried out", () => (callsTo("/fast") > 0 ? true : null));
  expect(callsTo("/slow")).toBeGreaterThanOrEqual(QUEUE_SHARE_MIN);
  expect(callsTo("/slow")).toBeLessThanOrEqual(QUEUE_SHARE_ALL);
  const last = ids.at(-1) ?? "";
  const [run] = await greedy.runs(last);
  expect(run).toMatchObject({ status: "scheduled", attempt: 0, held: { reason: "queue_share", connection: null } });
  const { waits } = await greedy.must(200, "GET", `/v1/executions/${last}/explain`);
  expect(waits).toMatchObject([{ for: "queue_share", run: "1.0", until: run.held.until }]);

  slow.resolve();
  await consumed;
});

/** Resolves when each has been delivered and has ended. */
async function consumeAll(messages: readonly unknown[]): Promise<void> {
  const busy = new Set<Promise<void>>();
  const all: Promise<void>[] = [];
  for (const message of messages) {
    while (busy.size >= CONSUMERS_MAX) await Promise.race(busy);
    const delivered: Promise<void> = deliver("actions", [message]).then(() => void busy.delete(delivered));
    busy.add(delivered);
    all.push(delivered);
  }
  await Promise.all(all);
}
