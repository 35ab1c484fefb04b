// Alert channel tests: sends an alert that is marked as a test through a channel. The outcome of its action shows
// whether it arrived.
import type { StoredAlertChannel } from "#catalog/alert-channels.ts";
import type { AlertGroup } from "#schema/alert.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { ALERT_REF } from "#schema/definition/standalone.ts";
import type { ExecutionStatus } from "#schema/engine/state.ts";
import { defaults } from "#schema/defaults.ts";
import { alertAction } from "./alert-action.ts";
import { findNamed } from "../named/find-named.ts";
import { alertChannelNoun } from "./alert-channels.ts";
import { alertMessage } from "./alert-message.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { dispatchActions } from "../actions/dispatch-actions.ts";
import { singleAnswer } from "../cells/call-cell.ts";

export type TestAlertChannel = { readonly ref: string; readonly key: string | null; readonly dryRun: boolean };
export type TestedAlertChannel = {
  readonly action: string;
  readonly status: ExecutionStatus;
  readonly repeated: boolean;
};

export async function testAlertChannel(
  deps: Deps,
  caller: TenantCaller,
  { ref, key, dryRun }: TestAlertChannel,
): Promise<Result<TestedAlertChannel>> {
  const found = await findNamed(deps, caller, alertChannelNoun, ref);
  if (!found.ok) return found;
  const row = found.value;
  // A repeat with the same Idempotency-Key must send the same message, so the message does not depend on the clock.
  const message = alertMessage(exampleOf(row), {
    tenant: caller.tenant,
    channel: row.name,
    test: true,
    publicUrl: deps.installation.publicUrl,
  });
  const request = alertAction(row, message, key === null ? null : `alert-test:${row.id}:${key}`);
  const answers = await dispatchActions(deps, caller, { requests: [request], key: null, dryRun, ref: ALERT_REF });
  const reply = singleAnswer(answers);
  if (!reply.ok) return reply;
  const { state, repeated } = reply.value;
  return accept({ action: state.id, status: state.status, repeated });
}

/** Returns an example group of failures, like the group of a real alert. */
function exampleOf({ tenant, updatedAt }: StoredAlertChannel): AlertGroup {
  const about = { severity: "critical", code: "action_failed", definition: "example", action: "charge" } as const;
  const failure = {
    ...about,
    tenant,
    namespace: defaults.namespace,
    execution: "exe_example",
    correlationId: null,
    run: "1.0",
    attempts: 5,
    failedAt: updatedAt,
    errorType: "unknown_error",
    errorCode: null,
    error: "This is a test: no action has failed.",
  };
  return { ...about, identity: "test", bucket: 0, silentUntil: null, failures: [failure] };
}
