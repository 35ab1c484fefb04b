// Unsubscribe links: makes the link of an e-mail. Until the recipient is known, configs and templates contain a marker,
// which the e-mail runner replaces.
import type { Ticket } from "#schema/engine/run.ts";
import { UNSUBSCRIBE_PATH } from "#schema/outgoing/unsubscribe-link.ts";
import type { UnsubscribePort } from "#schema/outgoing/unsubscribe-port.ts";
import type { Deps } from "../deps.ts";
import { addressKey } from "../suppressions/address-key.ts";
import { sealClaim } from "./unsubscribe-token.ts";

type LinkDeps = Pick<Deps, "installation" | "randomBytes" | "unsubscribeSecrets">;

/**
 * Opens the port of one attempt. The marker is random, so that data cannot contain it. `secrets`: receives the token,
 * which is then redacted from everything that the attempt returns.
 */
export function openUnsubscribeLink(
  deps: LinkDeps,
  { tenant, execution, run }: Pick<Ticket, "tenant" | "execution" | "run">,
  secrets: string[],
): UnsubscribePort {
  let marker: string | null = null;
  return {
    marker: () => (marker ??= markerOf(deps.randomBytes(16))),
    insertedMarker: () => marker,
    url: async (recipient) => {
      const { publicUrl } = deps.installation;
      const [secret] = await deps.unsubscribeSecrets();
      const address = await addressKey("email", recipient);
      if (publicUrl === null || secret === undefined || address === null) return null;
      const token = await sealClaim(secret, { tenant, channel: "email", address, execution, run });
      secrets.push(token);
      return `${publicUrl}${UNSUBSCRIBE_PATH}${token}`;
    },
  };
}

function markerOf(bytes: Uint8Array): string {
  return `unsubscribe-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
