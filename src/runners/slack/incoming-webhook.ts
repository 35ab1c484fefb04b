// Slack incoming webhook: posts a message to the webhook's channel. A part of the Slack runner.
import { credential } from "../core/account.ts";
import { configurationFailure } from "../core/classify.ts";
import { send } from "../http/call.ts";
import { refineRefusal } from "../core/refine-refusal.ts";
import type { OpenConnection, RunnerContext } from "../core/runner.ts";
import { slackMeaning } from "./errors.ts";
import { bodyOf, headersFor, type PostResult, type SlackConfig } from "./message.ts";

/** Posts the message. The webhook's whole URL is a credential. If Slack refuses, the body is an error word. */
export async function postThroughWebhook(
  config: SlackConfig,
  connection: OpenConnection,
  context: RunnerContext,
): Promise<PostResult> {
  if (config.channel !== undefined) {
    const message = "channel: an incoming webhook has its own channel; remove it, or give the connection a token";
    return { ok: false, ...configurationFailure(message, "channel_not_choosable") };
  }
  const url = credential(connection, "webhookUrl");
  const path = URL.canParse(url) ? new URL(url).pathname : "";
  const secrets = [url, path, path.split("/").at(-1) ?? ""];
  const answer = await send(
    { method: "POST", url, headers: headersFor(context), body: bodyOf(config, {}), secrets },
    context,
  );
  if (answer.ok) return answer;
  const errorWord = answer.answered?.data;
  return typeof errorWord === "string"
    ? { ok: false, ...refineRefusal(answer, slackMeaning(errorWord.trim())) }
    : answer;
}
