// Tokens on their way into a connection's object and out again: sealed for that connection alone.
import type { Deps } from "../deps.ts";
import { IV_BYTES, openKeyring, seal, unseal, type Sealed } from "../secrets/sealing.ts";

type About = { readonly tenant: string; readonly connection: string };

/** null where the installation has no keys to seal with. */
export async function sealToken(
  deps: Pick<Deps, "secretsKeys" | "randomBytes">,
  about: About,
  text: string,
): Promise<string | null> {
  const ring = await openKeyring(deps.secretsKeys);
  return ring.ok ? JSON.stringify(await seal(ring.value, aboutToken(about), text, deps.randomBytes(IV_BYTES))) : null;
}

/** null where it does not open: its key is gone, or it is another connection's. */
export async function openToken(deps: Pick<Deps, "secretsKeys">, about: About, sealed: string): Promise<string | null> {
  const ring = await openKeyring(deps.secretsKeys);
  if (!ring.ok) return null;
  const opened = await unseal(ring.value, aboutToken(about), JSON.parse(sealed) as Sealed); // sealToken wrote it
  return opened.ok ? opened.text : null;
}

function aboutToken({ tenant, connection }: About): readonly string[] {
  return ["connection-token", tenant, connection];
}
