// Poll now: makes a poller poll immediately. On a dry run, only previews the items that it would find.
import type { PollerTerms, TriggerPort } from "#schema/inbound/delivery.ts";
import type { PollerView, PollPreview } from "#schema/inbound/polling.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { recordAudit } from "../audit/audit.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { findNamed } from "../named/find-named.ts";
import { pollerTerms } from "./poll-page.ts";
import { triggerNoun } from "./triggers.ts";

export type PollNow = { readonly ref: string; readonly reason: string | null; readonly dryRun: boolean };
/** `preview` is the result of a dry run; null if the poller really polls. */
export type PolledNow = { readonly poller: PollerView | null; readonly preview: PollPreview | null };

export async function pollNow(
  deps: Deps,
  caller: TenantCaller,
  { ref, reason, dryRun }: PollNow,
): Promise<Result<PolledNow>> {
  const found = await findNamed(deps, caller, triggerNoun, ref);
  if (!found.ok) return found;
  const terms = pollerTerms(found.value);
  if (terms === null) return refuse(notAPoller);
  const object = deps.trigger(`${caller.tenant}/${found.value.id}`);
  if (dryRun) return previewOf(object, terms);
  if (!terms.poll.isEnabled) return refuse(pollerDisabled);
  const asked = await callWithRetry(() => object.pollNow(terms), "trigger");
  if (!asked.ok) return asked;
  await recordAudit(deps, caller, "trigger.poll", found.value.id, reason);
  return accept({ poller: asked.value, preview: null });
}

async function previewOf(object: TriggerPort, terms: PollerTerms): Promise<Result<PolledNow>> {
  const preview = await callWithRetry(() => object.previewPoll(terms), "trigger");
  if (!preview.ok) return preview;
  const view = await callWithRetry(() => object.view(), "trigger");
  return view.ok ? accept({ poller: view.value.poller ?? null, preview: preview.value }) : view;
}

const notAPoller = {
  code: "not_a_poller",
  message: "This trigger is a webhook: it receives requests, and does not poll.",
  hint: "Only a trigger of the kind poller can poll.",
} as const;

const pollerDisabled = {
  code: "trigger_closed",
  message: "The trigger is disabled.",
  hint: "Enable the trigger with POST /v1/triggers/{ref}/enable.",
} as const;
