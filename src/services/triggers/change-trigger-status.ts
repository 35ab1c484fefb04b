// Trigger status: enables and disables a trigger, and replaces its token or secret. The old token or secret stays valid
// for a while, so that deliveries are accepted until the sender uses the new one.
import { rotatedToken } from "#policy/inbound/token.ts";
import type { TriggerSettings, TriggerStanding } from "#schema/inbound/trigger.ts";
import { refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { changeNamed } from "../named/change-named.ts";
import { findNamed } from "../named/find-named.ts";
import { noAddress, triggerNoun, type TriggerRowView } from "./triggers.ts";
import { notifyPoller } from "./notify-poller.ts";

type TriggerRequest = { readonly ref: string; readonly reason: string | null; readonly dryRun: boolean };

export async function switchTrigger(
  deps: Deps,
  caller: TenantCaller,
  { enabled, ...about }: TriggerRequest & { readonly enabled: boolean },
): Promise<Result<TriggerRowView>> {
  return change(deps, caller, about, enabled ? "enable" : "disable", ({ standing }) => {
    if (enabled) return { standing: { ...standing, disabled: null } };
    // If the trigger is disabled already, nothing changes: the instant and reason of the first request are kept.
    return { standing: { ...standing, disabled: standing.disabled ?? { at: deps.now(), reason: about.reason } } };
  });
}

export async function rotateToken(
  deps: Deps,
  caller: TenantCaller,
  { overlapMs, ...about }: TriggerRequest & { readonly overlapMs: number },
): Promise<Result<TriggerRowView>> {
  return change(deps, caller, about, "rotate-token", ({ standing, kind }) =>
    kind !== "webhook" ? null : { standing: { ...standing, token: rotatedToken(standing, deps.now(), overlapMs) } },
  );
}

export async function rotateSecret(
  deps: Deps,
  caller: TenantCaller,
  { secret, overlapMs, ...about }: TriggerRequest & { readonly secret: string; readonly overlapMs: number },
): Promise<Result<TriggerRowView>> {
  return change(deps, caller, about, "rotate-secret", ({ standing, settings }) => {
    const { verify } = settings;
    if (verify.scheme === "none" || verify.secret === secret) return null;
    const previousSecret = { name: verify.secret, until: deps.now() + overlapMs };
    return { standing: { ...standing, previousSecret }, settings: { ...settings, verify: { ...verify, secret } } };
  });
}

type Changes = { readonly standing: TriggerStanding; readonly settings?: TriggerSettings };

async function change(
  deps: Deps,
  caller: TenantCaller,
  { ref, reason, dryRun }: TriggerRequest,
  verb: string,
  to: (row: Pick<TriggerRowView, "kind" | "standing" | "settings">) => Changes | null,
): Promise<Result<TriggerRowView>> {
  const found = await findNamed(deps, caller, triggerNoun, ref);
  if (!found.ok) return found;
  const row = found.value;
  const changes = to(row);
  if (changes === null) return refuse(row.kind !== "webhook" ? noAddress : sameSecret);
  const change = { name: row.name, ...changes };
  const changed = await changeNamed(deps, caller, triggerNoun, { row, change, reason, dryRun, verb });
  if (changed.ok && !dryRun) await notifyPoller(deps, { ...changed.value, tenant: caller.tenant });
  return changed;
}

const sameSecret = {
  code: "invalid_input",
  message: "The request names the current secret of the trigger, or the trigger uses no secret.",
  hint: "Store the new key under another secret name (PUT /v1/secrets/{name}), and use that name.",
  errors: [{ pointer: "/secret", code: "unchanged", message: "must be another secret" }],
} as const;
