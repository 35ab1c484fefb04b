// Minting tenant for chain tests: an account, a contract, a signer, and a clock that tests advance.
import { runTicket } from "#runners/run.ts";
import type { JsonObject } from "#schema/json.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Signer } from "#schema/signer.ts";
import { connectionTo, ticketFor, world } from "../runners/world.ts";
import { accountOf, type Chain } from "./anvil.ts";
import { memorySigner } from "#test/runners/evm/evm-signer.ts";
import { countData, tokenCode } from "./token.ts";

export const RECIPIENT = "0x000000000000000000000000000000000000dEaD";

const accounts = new WeakMap<Chain, number>();

export async function newTenant(chain: Chain) {
  const index = accounts.get(chain) ?? 1; // the first account deploys
  accounts.set(chain, index + 1);
  const account = accountOf(index);
  const clock = { ahead: 0 };
  const now = () => Date.now() + clock.ahead;
  const signer = memorySigner(now);
  const contract = await deploy(chain);
  const config = {
    network: "anvil",
    contractAddress: contract,
    parameters: { to: RECIPIENT, tokenURI: "ipfs://certificate" },
  };
  /** Performs one attempt of the run `key`. `by` replaces ports of the runner. */
  const attempt = (key: string, over: JsonObject = {}, by: Partial<Surroundings> = {}): Promise<Outcome> => {
    const type = "function" in over ? "contract_call" : "blockchain_mint";
    const deadlineAt = now() + 20_000;
    const ticket = ticketFor(type, { ...config, ...over }, { idempotencyKey: key, deadlineAt, timeoutMs: 20_000 });
    const settings = { chainId: 31_337, rpcUrl: chain.url };
    const { privateKey } = account;
    return runTicket(ticket, {
      ...world(() => new Response()),
      fetch: by.fetch ?? ((url, init) => fetch(url, init)),
      now,
      allowLoopback: true,
      signer: () => by.signer ?? signer,
      connection: async () => ({
        ok: true,
        connection: connectionTo("evm", { credentials: { privateKey }, settings }),
      }),
    });
  };
  /** Repeats attempts at the time until which the run is held, until it ends. */
  const settled = async (key: string, over: JsonObject = {}, by: Partial<Surroundings> = {}): Promise<Outcome> => {
    for (let looks = 0; ; looks++) {
      const outcome = await attempt(key, over, by);
      if (outcome.ok || !outcome.held || looks === 20) return outcome;
      clock.ahead += Math.max(0, outcome.held.until - now());
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const minted = async () => Number(await chain.rpc<string>("eth_call", { to: contract, data: countData }, "latest"));
  return { account, clock, signer, contract, attempt, settled, minted };
}

export type Surroundings = {
  readonly signer: Signer;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
};

/** Runs `work` while the chain mines only on request. */
export async function withoutMining(chain: Chain, work: () => Promise<void>): Promise<void> {
  await chain.rpc("evm_setAutomine", false);
  try {
    await work();
  } finally {
    await chain.rpc("evm_mine");
    await chain.rpc("evm_setAutomine", true);
  }
}

export async function deploy(chain: Chain): Promise<string> {
  const { address: from } = accountOf(0);
  const hash = await chain.rpc<string>("eth_sendTransaction", { from, data: tokenCode(), gas: "0x100000" });
  return (await receiptOf(chain, hash)).contractAddress;
}

/** Waits for a receipt: the node mines at once, but after its answer. */
export async function receiptOf(chain: Chain, hash: string): Promise<{ readonly contractAddress: string }> {
  for (;;) {
    const receipt = await chain.rpc<{ contractAddress: string } | null>("eth_getTransactionReceipt", hash);
    if (receipt) return receipt;
  }
}
