// Connections as API objects.
import type { ConnectionSettings } from "#schema/connection.ts";
import type { Attention, GateView } from "#schema/gate.ts";
import type { ApiConnection, ApiConnectionInUse } from "./shape.ts";
import { toInstant } from "#schema/values.ts";

type View = {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly settings: ConnectionSettings;
  readonly attention: Attention | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export function presentConnection({ id, name, provider, settings, attention, ...at }: View): ApiConnection {
  const { createdAt, updatedAt } = at;
  return {
    id,
    name,
    provider,
    ...settings,
    status: attention === null ? "ok" : "needs_attention",
    attention: attention && { ...attention, since: toInstant(attention.since) },
    createdAt: toInstant(createdAt),
    updatedAt: toInstant(updatedAt),
  };
}

type InUse = View & {
  readonly state: GateView | null;
  readonly callbacks: { readonly url: string | null; readonly credential: string | null };
};

export function presentInUse({ state, callbacks, ...view }: InUse): ApiConnectionInUse {
  // The connection's object has the current value. The catalog's value is a projection, which may be older, so it is
  // used only if the object reported none.
  const attention = state?.attention === undefined ? (view.attention ?? null) : state.attention;
  return {
    ...presentConnection({ ...view, attention }),
    state: state === null ? null : presentState(state),
    callbackUrl: callbacks.url,
    callbackCredential: callbacks.credential,
  };
}

export function presentState({
  breaker,
  inUse,
  waiting = 0,
  nextAt,
  token,
}: GateView): NonNullable<ApiConnectionInUse["state"]> {
  return {
    breaker: { ...breaker, until: toInstant(breaker.until) },
    inUse,
    waiting,
    nextAt: toInstant(nextAt),
    token: token && { obtainedAt: toInstant(token.obtainedAt), expiresAt: toInstant(token.expiresAt) },
  };
}
