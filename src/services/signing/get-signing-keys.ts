// Tells what one receiver verifies with: every key that signs its messages now.
import { accept, type Result } from "#schema/refusal.ts";
import { endpointOf, endpointShown, type SigningKey } from "#schema/outgoing/signing.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { endpointKeys } from "./endpoint-keys.ts";
import { findRotations } from "./find-rotations.ts";
import { signsNothing } from "./get-signing-secret.ts";

/** An address that is called, or the name that actions give an endpoint. */
export type EndpointAsk = { readonly url: string } | { readonly endpoint: string };
export type EndpointKeys = { readonly endpoint: string; readonly keys: readonly SigningKey[] };

export async function getSigningKeys(
  deps: Deps,
  caller: TenantCaller,
  asked: EndpointAsk,
): Promise<Result<EndpointKeys>> {
  const endpoint = endpointMeant(asked);
  const keys = await endpointKeys(deps, caller.tenant, endpoint, await findRotations(deps.db, caller.tenant));
  return keys.length === 0 ? signsNothing() : accept({ endpoint: endpointShown(endpoint), keys });
}

export function endpointMeant(asked: EndpointAsk): string {
  return "url" in asked ? endpointOf(asked.url) : asked.endpoint;
}
