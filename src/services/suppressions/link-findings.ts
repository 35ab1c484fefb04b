// Link findings: the check of how configs use the unsubscribe link, for the settings of this installation.
import { unsubscribeFindings } from "#policy/suppressions/unsubscribe-findings.ts";
import type { Installation } from "#schema/engine/installation.ts";
import type { JsonObject } from "#schema/json.ts";
import type { Finding } from "#schema/refusal.ts";

type LinkInstallation = Pick<Installation, "publicUrl"> & { readonly hasSigningKey: boolean };

export function checkLinks(
  { publicUrl, hasSigningKey }: LinkInstallation,
  type: string,
  config: JsonObject,
): readonly Finding[] {
  return unsubscribeFindings(type, config, { hasPublicUrl: publicUrl !== null, hasSigningKey });
}
