// Suggested fixes for Slack messages, sent through its API or an incoming webhook.
import { transient, fixable, type Fixes } from "./entry.ts";

const auth = fixable("Slack rejects the connection's token: install the app again and set the new token. Then retry.");
const right = fixable(
  "The app lacks a permission in Slack: add the scope or lift the restriction named in the message, then retry.",
);
const shape = fixable("Slack rejected the message: correct text or blocks, then retry.");
const busy = transient("Slack had an internal error. Retry.");
const thread = fixable('The Slack thread does not exist or accepts no replies. Retry with "threadTs": null.');
const webhookGone = fixable(
  "The incoming webhook was removed. Create a new incoming webhook, set its address on the connection, then retry.",
);

export const slackFixes: Fixes = {
  channel_missing: fixable('A connection with a token needs a channel. Retry with "channel" in the config.'),
  channel_not_choosable: fixable(
    'An incoming webhook has a fixed channel. Retry with "channel": null, or set a token on the connection.',
  ),
  slack_invalid_auth: auth,
  slack_not_authed: auth,
  slack_account_inactive: auth,
  slack_token_revoked: auth,
  slack_token_expired: auth,
  slack_invalid_token: webhookGone,
  slack_missing_scope: right,
  slack_no_permission: right,
  slack_not_in_channel: fixable("The app is not in the Slack channel. Invite the app (/invite), then retry."),
  slack_channel_not_found: fixable(
    "Slack does not find the channel. Check its id, invite the app if the channel is private, then retry.",
  ),
  slack_user_not_found: fixable("Slack has no such user: correct the id in channel, then retry."),
  slack_is_archived: fixable("The Slack channel is archived. Unarchive it, or retry with another channel."),
  slack_channel_is_archived: fixable("The Slack channel is archived. Unarchive it, or retry with another channel."),
  slack_no_service: webhookGone,
  slack_no_service_id: webhookGone,
  slack_no_active_hooks: webhookGone,
  slack_no_team: webhookGone,
  slack_ratelimited: transient("Slack accepts about one message per second per channel. Retry."),
  slack_rate_limited: transient("Slack accepts about one message per second per channel. Retry."),
  slack_message_limit_exceeded: transient("The workspace's message quota was used up. Retry later."),
  slack_internal_error: busy,
  slack_fatal_error: busy,
  slack_service_unavailable: busy,
  slack_request_timeout: busy,
  slack_rollup_error: busy,
  slack_invalid_blocks: shape,
  slack_invalid_payload: shape,
  slack_msg_too_long: fixable("The text is too long. Retry with at most 40,000 characters."),
  slack_no_text: fixable('The message is empty. Retry with "text" or "blocks".'),
  slack_invalid_thread_ts: thread,
  slack_thread_not_found: thread,
  slack_cannot_reply_to_message: thread,
};
