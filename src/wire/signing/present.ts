// Webhook signing keys as API objects.
import type { SigningKey } from "#schema/outgoing/signing.ts";
import { toInstant } from "#schema/values.ts";
import type { ApiRotatedSigning, ApiSigning, ApiSigningKeys } from "./shape.ts";

type Keys = { readonly endpoint: string; readonly keys: readonly SigningKey[] };

export function presentSigningKeys({ endpoint, keys }: Keys): ApiSigningKeys {
  return {
    endpoint,
    keys: keys.map(({ since, until, ...key }) => ({ ...key, since: toInstant(since), until: toInstant(until) })),
  };
}

type Rotation = { readonly since: number; readonly previousUntil: number | null };
type Signing = {
  readonly mode: ApiSigning["mode"];
  readonly since: number | null;
  readonly previousUntil: number | null;
  readonly previousMode: ApiSigning["previousMode"];
  readonly endpoints: readonly (Rotation & { readonly endpoint: string })[];
};

export function presentSigning({ since, previousUntil, endpoints, ...plain }: Signing): ApiSigning {
  return {
    ...plain,
    since: toInstant(since),
    previousUntil: toInstant(previousUntil),
    endpoints: endpoints.map(({ endpoint, ...rotation }) => ({ endpoint, ...presentRotation(rotation) })),
  };
}

type Rotated = Rotation & { readonly endpoint: string | null };

export function presentRotated({ endpoint, ...rotation }: Rotated, dryRun: boolean): ApiRotatedSigning {
  return { endpoint, ...presentRotation(rotation), dryRun };
}

function presentRotation({ since, previousUntil }: Rotation) {
  return { since: toInstant(since), previousUntil: toInstant(previousUntil) };
}
