// Chain stress test: twenty concurrent mints while the node becomes unreachable after accepting transactions, attempts
// die, and a reorganization drops blocks of settled mints.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Signer } from "#schema/signer.ts";
import { chanceOf, type Chance } from "#test/sim/kit/chance.ts";
import { startChain, type Chain } from "./anvil.ts";
import { newTenant } from "./minting.ts";

const MINTS = 20;
const SEEDS = ["wind", "rain", "hail", "snow", "fog"];

let chain: Chain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.stop());

/**
 * A proxy between the engine and its node. After a number of transactions it is dark: it forwards nothing and answers
 * nothing.
 */
function proxy() {
  let passesLeft = Infinity;
  const through = async (url: string, init: RequestInit): Promise<Response> => {
    const refused = () => new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
    if (passesLeft <= 0) throw refused();
    if (String(init.body).includes("eth_sendRawTransaction")) passesLeft--;
    const answer = await fetch(url, init);
    if (passesLeft <= 0) throw refused();
    return answer;
  };
  return { fetch: through, darkAfter: (sends: number) => void (passesLeft = sends) };
}

/** Simulates that the isolate dies during a call to the signer, before or after the call takes effect. */
function mortal(signer: Signer, chance: Chance, share: number): Signer {
  const dying =
    <Asked extends unknown[], Answer>(call: (...asked: Asked) => Promise<Answer>) =>
    async (...asked: Asked): Promise<Answer> => {
      const [before, after] = [chance.yes(share / 2), chance.yes(share / 2)];
      if (before) throw new Error("killed");
      const answer = await call(...asked);
      if (after) throw new Error("killed");
      return answer;
    };
  const { find, reserve, store, wait, renew, releaseNonce, confirm, fail, planMaintenance, recordMined, overview } =
    signer;
  const early = { find: dying(find), reserve: dying(reserve), store: dying(store), wait: dying(wait) };
  const late = { renew: dying(renew), releaseNonce: dying(releaseNonce), confirm: dying(confirm), fail: dying(fail) };
  return { ...early, ...late, planMaintenance: dying(planMaintenance), recordMined: dying(recordMined), overview };
}

const wasKilled = (outcome: Outcome): boolean => !outcome.ok && outcome.error.code === "runner_threw";

test.each(SEEDS)(
  "twenty mints survive outages, crashes and a reorganization: each is mined once (%s)",
  async (seed) => {
    const chance = chanceOf(seed);
    const { attempt, minted, clock, signer, account } = await newTenant(chain);
    const node = proxy();
    let killed = 0;
    let share = 0;
    let waves = 0;
    const open = new Set(Array.from({ length: MINTS }, (_, n) => `a/${n}`));
    const refused: Outcome[] = [];
    const wave = async (): Promise<void> => {
      waves++;
      const turn = async (key: string): Promise<void> => {
        const mind = mortal(signer, chance.fork(`${key} ${waves}`), share);
        const outcome = await attempt(key, {}, { fetch: node.fetch, signer: mind });
        if (outcome.ok) open.delete(key);
        else if (wasKilled(outcome)) killed++;
        // A signed transaction may be sent, so only a crash may end an attempt of its run.
        else if (!outcome.held && signer.state().txs[key]?.status === "signed") refused.push(outcome);
      };
      await Promise.all([...open].map(turn));
      clock.ahead += 12_000;
    };
    await chain.rpc("evm_setAutomine", false);

    share = 0.1;
    node.darkAfter(8);
    await wave();
    // The node accepted this transaction before it was dark. It is mined now, and then an hour passes.
    await chain.rpc("evm_mine");
    for (let looks = 0; looks < 5; looks++) await wave();
    clock.ahead += 60 * 60_000;
    await wave();
    expect(open.size).toBe(MINTS);

    node.darkAfter(Infinity);
    for (let blocks = 0; blocks < 3; blocks++) {
      await wave();
      await chain.rpc("evm_mine");
    }
    await wave();
    const settledBefore = MINTS - open.size;
    const countBefore = await minted();
    share = 0;
    await chain.rpc("anvil_reorg", 4, []);
    expect(settledBefore).toBeGreaterThan(0);
    expect(await minted()).toBeLessThan(countBefore);

    // Another mint, because each call also maintains the address's earlier transactions.
    open.add("late");
    for (let blocks = 0; blocks < 30 && (open.size > 0 || (await minted()) < MINTS + 1); blocks++) {
      await wave();
      await chain.rpc("evm_mine");
    }
    await chain.rpc("evm_setAutomine", true);
    expect({ refused, open: [...open] }).toEqual({ refused: [], open: [] });
    expect(killed).toBeGreaterThan(5);
    expect(await minted()).toBe(MINTS + 1);
    expect(Number(await chain.rpc("eth_getTransactionCount", account.address, "latest"))).toBe(MINTS + 1);
    expect(signer.state()).toMatchObject({ next: MINTS + 1, free: [] });
  },
  30_000,
);
