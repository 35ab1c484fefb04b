// Reads what gives out an address's nonces: the next one, what is in flight, what is kept, and what to do about it.
import { signerAdvice } from "#policy/advice/signer-advice.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { SignerOverview } from "#schema/signer.ts";
import type { Deps, TenantCaller } from "../deps.ts";

/** `chain`: a known name, or the chain's id. */
export type SignerName = { readonly chain: string; readonly address: string };
export type SignerView = {
  readonly chainId: number;
  readonly address: string;
  readonly signer: SignerOverview;
  readonly advice: readonly string[];
};

export async function getSigner(deps: Deps, caller: TenantCaller, name: SignerName): Promise<Result<SignerView>> {
  const chainId = chainIdIn(deps, name.chain);
  const address = name.address.toLowerCase();
  const signer = chainId === null ? null : await deps.signer(caller.tenant, chainId, address).overview();
  if (chainId === null || signer === null || isUnused(signer)) return noSigner(name);
  return accept({ chainId, address, signer, advice: signerAdvice(signer, deps.now()) });
}

function chainIdIn(deps: Deps, chain: string): number | null {
  return /^\d+$/.test(chain) ? Number(chain) : deps.chainIdOf(chain);
}

function isUnused({ next, reserved, inFlight, kept }: SignerOverview): boolean {
  return next === null && reserved.length + inFlight.length + kept.length === 0;
}

function noSigner({ chain, address }: SignerName): Result<never> {
  return refuse({
    code: "not_found",
    message: `Nothing was sent from ${address} on the chain ${chain}.`,
    hint: "A chain of your own goes by its id, as in /v1/signers/31337/0x…; the address is that of a connection's privateKey.",
  });
}
