// Slack app: posts a message with chat.postMessage and the app's token. A part of the Slack runner.
import type { Json, JsonObject } from "#schema/json.ts";
import { ANSWER_BYTES_MAX, MESSAGE_EXCERPT_CHARS_MAX } from "#schema/limits/outgoing/responses.ts";
import { endpointUrl, credential, secretsIn, withToken } from "../core/account.ts";
import { deriveUuid } from "../core/bytes.ts";
import { configurationFailure } from "../core/classify.ts";
import { answerDetails, send, unreadableFailure, type HttpAnswer, type HttpRefusal } from "../http/call.ts";
import { textAt, valueAt } from "#schema/provider/json-pointer.ts";
import { refineRefusal } from "../core/refine-refusal.ts";
import type { OpenConnection, RunnerContext } from "../core/runner.ts";
import { slackMeaning } from "./errors.ts";
import { bodyOf, headersFor, type PostResult, type SlackConfig } from "./message.ts";

export async function postAsApp(
  config: SlackConfig,
  connection: OpenConnection,
  context: RunnerContext,
): Promise<PostResult> {
  if (config.channel === undefined) {
    return {
      ok: false,
      ...configurationFailure("channel: is required unless the connection is an incoming webhook", "channel_missing"),
    };
  }
  const { channel } = config;
  // The idempotency key as a UUID, because Slack requires one. Every attempt sends the same UUID.
  const clientMsgId = await deriveUuid(`${context.ticket.tenant}/${context.ticket.idempotencyKey}`);
  const call = async (token: string): Promise<PostResult> => {
    const answer = await send(
      {
        method: "POST",
        url: endpointUrl(connection, "https://slack.com", "/api/chat.postMessage"),
        headers: headersFor(context, token),
        body: bodyOf(config, { channel, client_msg_id: clientMsgId }),
        secrets: [...secretsIn(connection), token],
        answerBytesMax: ANSWER_BYTES_MAX,
      },
      context,
    );
    return answer.ok ? readResult(answer) : refineByErrorWord(answer);
  };
  const fixedToken = credential(connection, "token");
  if (fixedToken !== "") return call(fixedToken);
  return withToken(connection, call, (answer) => !answer.ok && answer.error.type === "authentication_failed");
}

/**
 * Reads the result from the body, because Slack refuses with status 200. If the body has no result, the message may
 * have been posted.
 */
function readResult(answer: HttpAnswer): PostResult {
  if (valueAt(answer.data, "/ok") === true) return answer;
  const errorWord = textAt(answer.data, "/error");
  if (errorWord === null)
    return { ok: false, ...unreadableFailure("Slack's answer is neither a success nor an error", answer) };
  const details = { ...answerDetails(answer), error: errorWord, ...errorMessages(answer.data) };
  const message = `Slack refused the message: ${errorWord}`;
  const error = { type: "malformed_request", message, retryable: false, details };
  return { ok: false, ...refineRefusal({ error }, slackMeaning(errorWord)) };
}

function refineByErrorWord(refusal: HttpRefusal): PostResult {
  const errorWord = textAt(refusal.answered?.data ?? null, "/error");
  const known =
    errorWord === null || valueAt(refusal.answered?.data ?? null, "/ok") !== false ? {} : slackMeaning(errorWord);
  return { ok: false, ...refineRefusal(refusal, known) };
}

const MESSAGES_KEPT = 10;

function errorMessages(data: Json): JsonObject {
  const messages = valueAt(data, "/response_metadata/messages");
  if (!Array.isArray(messages)) return {};
  return { messages: messages.slice(0, MESSAGES_KEPT).map((each) => String(each).slice(0, MESSAGE_EXCERPT_CHARS_MAX)) };
}
