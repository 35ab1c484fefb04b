// A message carries its execution's runs one after another. What becomes of the one it has come to when an answer is
// lost, or its consumer dies: nothing waits for a deadline, and nothing is begun twice where nobody died.
import { afterEach, describe, expect, it, vi } from "vitest";
import { chain, engine, provider, until } from "#test/flows/engine.ts";
import { deliver, holdActions } from "#test/flows/queues.ts";
import { ExecutionObject } from "../../../src/index.ts";

const three = ["reserve", "charge", "confirm"];
const putBack: (() => void)[] = [];
afterEach(() => {
  putBack.splice(0).forEach((back) => back());
  vi.restoreAllMocks();
});

/** The first answers of a call to an object are lost, after what was asked for is done. */
function loseAnswers(method: "claimMany" | "settleMany", times: number): { lost: number } {
  const seen = { lost: 0 };
  const real = ExecutionObject.prototype[method] as (items: never) => Promise<unknown>;
  Reflect.set(ExecutionObject.prototype, method, async function lossy(this: ExecutionObject, items: never) {
    const answer = await real.call(this, items);
    if (seen.lost >= times) return answer;
    seen.lost += 1;
    throw new Error("the answer was lost");
  });
  putBack.push(() => void Reflect.set(ExecutionObject.prototype, method, real));
  return seen;
}

describe.each(["own", "pooled"])("%s", (placement) => {
  it.each(["claimMany", "settleMany"] as const)(
    "an answer of %s that is lost costs no run and no message",
    async (method) => {
      const held = holdActions();
      const { calls } = provider();
      const shop = await engine(chain("steps", three, { placement, lane: "queue" }));
      const id = await shop.start("steps");
      const { messages } = held;
      const seen = loseAnswers(method, 2);
      // A consumer takes further runs for a second. On a busy machine the repeated calls may need longer.
      vi.spyOn(Date, "now").mockReturnValue(Date.now());
      await deliver("actions", messages);
      vi.restoreAllMocks();
      expect(seen.lost).toBe(2);
      // Others may come from executions of earlier tests.
      expect(messages.filter(({ execution }) => execution === id)).toHaveLength(1);
      expect(await shop.read(id)).toMatchObject({ status: "completed" });
      expect(calls.map(({ url }) => url.pathname)).toEqual(["/reserve", "/charge", "/confirm"]);
      const attempts = (await shop.runs(id)).map((run) => run.attempts);
      expect(attempts).toMatchObject(three.map(() => [{ attempt: 1, possiblyRepeated: false }]));
    },
  );

  it("a consumer that dies over a later run has it gone on with by the message's next delivery, at once", async () => {
    const held = holdActions();
    let isOver = false;
    const { calls } = provider(async ({ url, attempt }) => {
      const dies = url.pathname === "/charge" && attempt === 1;
      if (dies) await until("the test is over", () => (isOver ? true : null));
      return Response.json({});
    });
    const shop = await engine(chain("steps", three, { placement, lane: "queue" }));
    const id = await shop.start("steps");
    const first = deliver("actions", held.messages);
    await until("the second run is under way", () => (calls.length === 2 ? true : null));
    // The same delivery, doubled: nobody has died, and nothing is begun beside the first.
    await deliver("actions", held.messages);
    expect(calls).toHaveLength(2);
    await deliver("actions", held.messages, 2);
    expect(await shop.read(id)).toMatchObject({ status: "completed" });
    expect(calls.map(({ url }) => url.pathname)).toEqual(["/reserve", "/charge", "/charge", "/confirm"]);
    const [, charge] = await shop.runs(id);
    expect(calls.slice(1, 3).map(({ key }) => key)).toEqual(Array(2).fill(`${id}/${charge.id}`));
    expect(charge.attempts).toMatchObject([{ attempt: 1, possiblyRepeated: true }]);
    expect(held.messages.filter(({ execution }) => execution === id)).toHaveLength(1);
    isOver = true;
    await first;
  });
});
