// Push runner: sends a push message to a browser through its push service, or to devices through Firebase.
import { attemptMs } from "#schema/defaults.ts";
import { pushThroughFcm } from "./fcm.ts";
import { failureOutcome, successOutcome } from "../core/outcomes.ts";
import { pushConfig, type PushConfig } from "./config.ts";
import type { Runner } from "../core/runner.ts";
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
    const sent =
      config.provider === "webpush" ? await pushToBrowser(config, context) : await pushThroughFcm(config, context);
    if (!sent.ok) return failureOutcome(sent, span(), { provider });
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
