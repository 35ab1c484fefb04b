// Performs one mint against a mock node.
import type { JsonObject } from "#schema/json.ts";
import { mintConfig } from "./evm-contract.ts";
import { node, PRIVATE_KEY, type Methods } from "./evm-node.ts";
import { memorySigner } from "./evm-signer.ts";
import { performed, type Surroundings } from "#test/runners/perform.ts";
import { NOW, type Answer } from "#test/runners/world.ts";

export const credentials = { privateKey: PRIVATE_KEY };

export function mint(answer: Answer | Methods, config: JsonObject = {}, over: Surroundings = {}) {
  const signer = memorySigner(() => NOW);
  const how = typeof answer === "function" ? answer : node(answer);
  return performed("blockchain_mint", { ...mintConfig, ...config }, how, {
    account: { credentials },
    signer: () => signer,
    ...over,
  });
}

export const refusal = (message: string, code = -32000, data: string | null = null) => ({
  error: { code, message, data },
});

export async function methodsOf(calls: readonly { readonly request: Request }[]): Promise<string[]> {
  const bodies = await Promise.all(calls.map(({ request }) => request.json() as Promise<{ method: string }>));
  return bodies.map(({ method }) => method);
}
