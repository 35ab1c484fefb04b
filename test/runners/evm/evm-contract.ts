// Chain runners' contract: the runners' contract and one mint with all its calls, run in Node and in workerd.
import { expect, it } from "vitest";
import { runners } from "#runners/registry.ts";
import { runnerContract } from "#test/runners/contract.ts";
import { memorySigner } from "./evm-signer.ts";
import { CONTRACT, node, PRIVATE_KEY } from "./evm-node.ts";
import { performed } from "#test/runners/perform.ts";
import { NOW } from "#test/runners/world.ts";

export const mintConfig = {
  blockchain: "ethereum",
  network: "base",
  contractAddress: CONTRACT,
  parameters: { to: "0x000000000000000000000000000000000000dEaD", tokenURI: "ipfs://x", certificateData: "0xfeed" },
  gasLimit: 200_000,
  gasPrice: "auto",
};

export function evmContract(): void {
  const connection = { credentials: { privateKey: PRIVATE_KEY } };
  const answer = node();
  const fetch = async (url: string, init: RequestInit) => {
    const request = new Request(url, { ...init, signal: null });
    return answer({ url, init, request });
  };
  // Each runner has its own signer, because a signer would return the other runner's transaction for the same key.
  const ports = () => {
    const signer = memorySigner(() => NOW);
    return { fetch, signer: () => signer };
  };
  runnerContract(runners.blockchain_mint, { goodConfig: mintConfig, answer: null, connection, ports: ports() });
  const call = { ...mintConfig, function: "mint" };
  runnerContract(runners.contract_call, { goodConfig: call, answer: null, connection, ports: ports() });

  it("signs, sends and reads the receipt", async () => {
    const { outcome, calls } = await performed("blockchain_mint", mintConfig, node(), {
      account: connection,
      signer: () => memorySigner(() => NOW),
    });
    expect(outcome).toMatchObject({
      ok: true,
      result: { blockNumber: 7, gasUsed: "100000", effectiveGasPrice: "1000000000", tokenId: "42" },
      costEstimate: 0.000100000000000005,
      metadata: { network: "base", chainId: 8453, gasCostWei: "100000000000005" },
    });
    const bodies = await Promise.all(
      calls.map(async ({ request }) => (await request.json()) as { method: string; params: string[] }),
    );
    // Signatures are deterministic, so the sent transaction is always the same.
    const sent = bodies.find(({ method }) => method === "eth_sendRawTransaction")?.params[0] ?? "";
    expect(sent).toMatch(/^0x02f9[0-9a-f]+$/);
    expect(new Set(calls.map(({ url }) => url))).toEqual(new Set(["https://mainnet.base.org/"]));
  });
}
