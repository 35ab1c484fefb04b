// Tests of the Slack runner: the contract for both ways of posting, the requests, and refusals with status 200.
import { describe, expect, it } from "vitest";
import { runners } from "#runners/registry.ts";
import type { JsonObject } from "#schema/json.ts";
import { runnerContract } from "#test/runners/contract.ts";
import { performed, type Surroundings } from "#test/runners/perform.ts";
import { expectPublished, sentJson } from "#test/runners/published.ts";
import { jsonResponse, type Answer } from "#test/runners/world.ts";

const HOOK = "https://hooks.slack.com/services/T000/B000/the-secret-part";
const accepts: Answer = () => jsonResponse({ ok: true, channel: "C1", ts: "1503435956.000247", message: {} });
const okay: Answer = () => new Response("ok", { headers: { "Content-Type": "text/plain" } });
const account = { credentials: { token: "xoxb-of-the-account" } };
const hook = { credentials: { webhookUrl: HOOK } };

describe("as the app", () => {
  runnerContract(runners.slack, {
    goodConfig: { channel: "C1", text: "Hello" },
    answer: accepts,
    connection: account,
    withCredentials: (secret) => ({ token: secret }),
  });
});

describe("through an incoming webhook", () => {
  runnerContract(runners.slack, {
    goodConfig: { text: "Hello" },
    answer: okay,
    connection: hook,
    withCredentials: (secret) => ({ webhookUrl: `https://hooks.slack.com/services/${secret}` }),
  });
});

const post = (config: JsonObject, answer = accepts, over: Surroundings = { account }) =>
  performed("slack", config, answer, over);

it("posts as Slack's API describes it, and emits its event", async () => {
  const blocks = [{ type: "section", text: { type: "mrkdwn", text: "*Hello*" } }];
  const config = {
    channel: "#ops",
    text: "Hello",
    blocks,
    threadTs: "1503435956.000247",
    replyBroadcast: true,
    unfurlLinks: false,
  };
  const { outcome, request, url } = await post(config);
  const sent = await sentJson(request);
  expectPublished("slack-chat-post-message", sent);
  expect(sent).toMatchObject({
    channel: "#ops",
    thread_ts: "1503435956.000247",
    blocks,
    reply_broadcast: true,
    unfurl_links: false,
  });
  expect([url, request?.headers.get("authorization")]).toEqual([
    "https://slack.com/api/chat.postMessage",
    "Bearer xoxb-of-the-account",
  ]);
  const payload = { channel: "C1", ts: "1503435956.000247", actionId: "notify" };
  expect(outcome).toMatchObject({
    ok: true,
    events: [{ type: "slack_message_sent", payload }],
    metadata: { through: "chat.postMessage" },
  });
});

it("every attempt has the same client_msg_id", async () => {
  const idOf = async () =>
    ((await sentJson((await post({ channel: "C1", text: "x" })).request)) as { client_msg_id: string }).client_msg_id;
  expect(await idOf()).toBe(await idOf());
});

it.each([
  ["invalid_auth", "authentication_failed", false],
  ["token_revoked", "authentication_failed", false],
  ["missing_scope", "authorization_failed", false],
  ["not_in_channel", "authorization_failed", false],
  ["channel_not_found", "not_found", false],
  ["is_archived", "not_found", false],
  ["ratelimited", "rate_limit", true],
  ["internal_error", "service_unavailable", true],
  ["invalid_blocks", "malformed_request", false],
  ["something_new", "malformed_request", false],
])("reports a 200 with %s as %s (retryable: %s)", async (error, type, retryable) => {
  const answer = { ok: false, error, response_metadata: { messages: ["[ERROR] why"] } };
  const { outcome } = await post({ channel: "C1", text: "x" }, () => jsonResponse(answer));
  expect(outcome).toMatchObject({
    ok: false,
    error: { type, retryable, code: `slack_${error}`, details: { error, messages: ["[ERROR] why"] } },
  });
});

it("does not repeat a message whose answer is neither a success nor an error", async () => {
  const { outcome } = await post({ channel: "C1", text: "x" }, () => new Response("<html>"));
  expect(outcome).toMatchObject({
    ok: false,
    error: { type: "unknown_error", retryable: false, code: "answer_unreadable" },
  });
});

it.each([
  ["internal_error", 200, "unknown"],
  ["internal_error", 500, "unknown"],
  ["request_timeout", 503, "unknown"],
  ["ratelimited", 429, undefined],
])("for Slack's error %s, with a %i, has a possible effect: %s", async (word, status, effect) => {
  const { outcome } = await post({ channel: "C1", text: "x" }, () =>
    jsonResponse({ ok: false, error: word }, { status }),
  );
  expect(outcome.ok ? null : outcome.error.effect).toBe(effect);
});

it("returns Slack's Retry-After", async () => {
  const headers = { "Retry-After": "30" };
  const { outcome } = await post({ channel: "C1", text: "x" }, () =>
    jsonResponse({ ok: false, error: "ratelimited" }, { status: 429, headers }),
  );
  expect(outcome).toMatchObject({
    ok: false,
    error: { type: "rate_limit", code: "slack_ratelimited" },
    retryAfterMs: 30_000,
  });
});

it("uses the connection's OAuth token if it has no fixed one, and renews a refused one once", async () => {
  const asked: (string | null)[] = [];
  const token = async (refused: string | null) => (
    asked.push(refused),
    { ok: true, token: `t${asked.length}` } as const
  );
  const expired: Answer = ({ request }) =>
    jsonResponse(
      request.headers.get("authorization") === "Bearer t1"
        ? { ok: false, error: "token_expired" }
        : { ok: true, channel: "C1", ts: "1.2" },
    );
  expect((await post({ channel: "C1", text: "x" }, expired, { account: { token } })).outcome.ok).toBe(true);
  expect(asked).toEqual([null, "t1"]);
  const never = await post({ channel: "C1", text: "x" }, () => jsonResponse({ ok: false, error: "invalid_auth" }), {
    account: { token },
  });
  expect([never.calls.length, never.outcome]).toMatchObject([
    2,
    { ok: false, error: { type: "authentication_failed" } },
  ]);
});

it("posts to the webhook, and returns its answer", async () => {
  const { outcome, request, url } = await post({ text: "Hello" }, okay, { account: hook });
  expect([url, await sentJson(request)]).toEqual([HOOK, { text: "Hello" }]);
  expect(outcome).toMatchObject({
    ok: true,
    events: [{ payload: { channel: null, ts: null } }],
    metadata: { through: "webhook" },
  });
});

it.each([
  [400, "invalid_payload", "malformed_request", false],
  [403, "action_prohibited", "authorization_failed", false],
  [403, "invalid_token", "authentication_failed", false],
  [404, "no_service", "not_found", false],
  [410, "channel_is_archived", "not_found", false],
  [500, "rollup_error", "service_unavailable", true],
])("reports a webhook's %i %s as %s (retryable: %s)", async (status, word, type, retryable) => {
  const { outcome } = await post({ text: "x" }, () => new Response(word, { status }), { account: hook });
  expect(outcome).toMatchObject({ ok: false, error: { type, retryable, code: `slack_${word}` } });
});

it.each([
  [{ channel: "C1" }, account, "invalid_config"],
  [{ channel: "C1", text: "x", threadTs: "yesterday" }, account, "invalid_config"],
  [{ text: "x" }, account, "channel_missing"],
  [{ channel: "C1", text: "x" }, hook, "channel_not_choosable"],
  [{ text: "x" }, { credentials: { webhookUrl: "http://169.254.169.254/" } }, "egress_refused"],
])("refuses %j with %j: %s", async (config, over, code) => {
  const { outcome, calls } = await post(config, accepts, { account: over });
  expect([outcome, calls]).toMatchObject([{ ok: false, error: { type: "invalid_configuration", code } }, []]);
});
