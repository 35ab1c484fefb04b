// CloudEvents handshake: answers the senders' question whether they may send here, and how often (OPTIONS, "abuse
// protection").
import { handshake } from "#policy/inbound/cloud-events.ts";
import type { Deps } from "../deps.ts";
import { openHook } from "./receive-hook.ts";

/** null: no answer is given. */
export async function handshakeFor(
  deps: Deps,
  token: string,
  origin: string | null,
): Promise<{ readonly origin: string; readonly rate: number } | null> {
  const hook = await openHook(deps, token);
  if (!hook.ok) return null;
  const { cloudEvents, rateLimit } = hook.value.settings;
  return handshake(origin, cloudEvents, rateLimit.perMinute);
}
