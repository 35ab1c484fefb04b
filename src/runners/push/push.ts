// Push runner: sends a push message to a browser through its push service, or to devices through Firebase.
import { attemptMs } from "#schema/defaults.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import { pushThroughFcm } from "./fcm.ts";
import { failureOutcome, successOutcome } from "../core/outcomes.ts";
import { pushConfig, type PushConfig } from "./config.ts";
import type { Runner, RunnerContext } from "../core/runner.ts";
import { pushToBrowser } from "./web-push.ts";

export const push: Runner<PushConfig> = {
  type: "push",
  config: pushConfig,
  calls: ["/subscription/endpoint"],
  permissions: ["push:send"],
  // A repeated message replaces an undelivered one. It contains the same key, by which an app can detect the repeat.
  // Neither push services nor apps guarantee this, so a repeat may be shown twice.
  repeats: { mode: "none" },
  recipients: {
    of: (config) => ({ channel: "push", addresses: addressesOf(config), isHeeding: config.heedSuppressions ?? true }),
    without: () => null,
  },
  timeoutMs: attemptMs.message,
  retryPolicy: "default",
  run: async (config, context) => {
    const startedAt = context.now();
    const span = () => ({ startedAt, endedAt: context.now() });
    const { provider } = config;
    const withReceipt = await addReceipt(config, context);
    if (!withReceipt.ok) return failureOutcome(withReceipt, span(), { provider });
    const ready = withReceipt.config;
    const sent =
      ready.provider === "webpush" ? await pushToBrowser(ready, context) : await pushThroughFcm(ready, context);
    if (!sent.ok) return withGoneEvent(failureOutcome(sent, span(), { provider }), context);
    const { messageId, bodyIncomplete } = sent;
    const note = bodyIncomplete === undefined ? {} : { bodyIncomplete };
    const payload = { messageId, provider, actionId: context.ticket.action };
    return successOutcome(
      { result: { messageId, provider, ...note }, events: [{ type: "push_sent", payload }] },
      span(),
      { provider },
    );
  },
};

/** Returns the device or the subscription. A topic and a condition are no addresses, so the list does not apply to them. */
function addressesOf(config: PushConfig): readonly string[] {
  if (config.provider === "webpush") return [config.subscription.endpoint];
  return config.token === undefined ? [] : [config.token];
}

/** The event that reports a device or browser which has ended its subscription. */
const GONE = "push_endpoint_gone";

function withGoneEvent(outcome: Outcome, { ticket }: RunnerContext): Outcome {
  if (outcome.ok || outcome.error.code !== "subscription_gone") return outcome;
  const { action, run, attempt } = ticket;
  return { ...outcome, events: [{ type: GONE, payload: { actionId: action, run, attempt } }] };
}

type ReadyPush = { readonly ok: true; readonly config: PushConfig } | (Failure & { readonly ok: false });

/** Adds the address of the receipt to the data, if the config asks for it. */
async function addReceipt(config: PushConfig, context: RunnerContext): Promise<ReadyPush> {
  if (config.receipt !== true) return { ok: true, config };
  const receiptUrl = (await context.receiptUrl?.()) ?? null;
  if (receiptUrl === null) return refuse("the installation has no SIGNING_KEY or no PUBLIC_URL", "receipt_unavailable");
  if (config.provider === "fcm") return { ok: true, config: { ...config, data: { ...config.data, receiptUrl } } };
  const { payload } = config;
  if (payload === null || typeof payload !== "object" || Array.isArray(payload))
    return refuse("requires a payload that is an object, to which the address is added", "receipt_not_possible");
  return { ok: true, config: { ...config, payload: { ...payload, receiptUrl } } };
}

function refuse(message: string, code: string): ReadyPush {
  return { ok: false, ...configurationFailure(`receipt: ${message}`, code) };
}
