// Slack runner: posts a message through an incoming webhook or as an app.
import { attemptMs } from "#schema/defaults.ts";
import { credential, openAccount } from "../core/account.ts";
import { incompleteNote } from "../http/call.ts";
import { textAt } from "#schema/provider/json-pointer.ts";
import { failureOutcome, successOutcome } from "../core/outcomes.ts";
import type { Runner } from "../core/runner.ts";
import { postAsApp } from "./as-app.ts";
import { slackConfig, type SlackConfig } from "./message.ts";
import { postThroughWebhook } from "./incoming-webhook.ts";

export const slack: Runner<SlackConfig> = {
  type: "slack",
  config: slackConfig,
  permissions: ["slack:post"],
  // chat.postMessage accepts a client_msg_id, but Slack does not define what happens if the same id is sent twice.
  repeats: { mode: "none" },
  timeoutMs: attemptMs.message,
  retryPolicy: "default",
  run: async (config, context) => {
    const startedAt = context.now();
    const span = () => ({ startedAt, endedAt: context.now() });
    const opened = await openAccount(context, config.connection, "slack", []);
    if (!opened.ok) return failureOutcome(opened.failure, span());
    const { connection } = opened;
    const isHook = credential(connection, "webhookUrl") !== "";
    const metadata = { through: isHook ? "webhook" : "chat.postMessage" };
    const answer = await (isHook ? postThroughWebhook : postAsApp)(config, connection, context);
    if (!answer.ok) return failureOutcome(answer, span(), metadata);
    const channel = textAt(answer.data, "/channel") ?? config.channel ?? null;
    const ts = textAt(answer.data, "/ts");
    const payload = { channel, ts, actionId: context.ticket.action };
    const result = { channel, ts, ...incompleteNote(answer) };
    return successOutcome({ result, events: [{ type: "slack_message_sent", payload }] }, span(), metadata);
  },
};
