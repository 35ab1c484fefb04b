// Runner tokens: return the access token of a grant that a runner builds itself. The connection's object requests the
// token, so that all isolates share it. In a rehearsal or without encryption keys, this isolate requests its own token.
import type { OwnGrant, TokenResult } from "#schema/provider/own-token.ts";
import type { OpenConnection, RunnerContext } from "../core/runner.ts";
import { cachedToken } from "../core/token-cache.ts";
import { requestToken } from "./token-request.ts";

export async function ownToken(
  grant: OwnGrant,
  refused: string | null,
  context: RunnerContext,
  connection: OpenConnection | null,
): Promise<TokenResult> {
  const sharedTokens = connection === null ? context.ownToken : connection.ownToken;
  const sharedToken = (await sharedTokens?.(grant, refused)) ?? null;
  if (sharedToken !== null) return sharedToken;
  const owner = [context.ticket.tenant, ...grant.owner, ...grant.secrets];
  const fetched = await cachedToken(owner, refused, context, async () => {
    const grantRequest = await grant.request();
    return grantRequest.ok ? requestToken(grantRequest.request, context) : grantRequest;
  });
  return fetched.ok ? fetched : { ok: false, failure: fetched };
}
