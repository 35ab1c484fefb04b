// CloudEvents handshake (OPTIONS, "abuse protection"): answers a sender that asks whether it may send events to this
// URL, and how often.
import { handshake } from "#policy/inbound/cloud-events.ts";
import type { Deps } from "../deps.ts";
import { openHook } from "./receive-hook.ts";

/** Returns the answer. Returns null if the sender gets no permission. */
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
