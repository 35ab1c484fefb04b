// Slack errors: the meanings of the error words that chat.postMessage and incoming webhooks return.
import { meaningFrom, type ErrorMeanings, type Meaning } from "../core/refine-refusal.ts";

const ERROR_WORDS: readonly (readonly [type: string, retryable: boolean, words: string])[] = [
  [
    "authentication_failed",
    false,
    "invalid_auth not_authed account_inactive token_revoked token_expired invalid_token",
  ],
  [
    "authorization_failed",
    false,
    "missing_scope no_permission not_allowed_token_type not_in_channel restricted_action restricted_action_read_only_channel " +
      "restricted_action_thread_only_channel restricted_action_non_threadable_channel ekm_access_denied access_denied " +
      "accesslimited org_login_required team_access_not_granted enterprise_is_restricted action_prohibited " +
      "posting_to_general_channel_denied team_disabled",
  ],
  [
    "not_found",
    false,
    "channel_not_found user_not_found is_archived channel_is_archived no_service no_service_id no_active_hooks no_team",
  ],
  ["rate_limit", true, "ratelimited rate_limited message_limit_exceeded"],
  [
    "service_unavailable",
    true,
    "internal_error fatal_error service_unavailable request_timeout rollup_error team_added_to_org",
  ],
  [
    "malformed_request",
    false,
    "invalid_payload invalid_blocks invalid_blocks_format invalid_arguments invalid_json msg_too_long msg_blocks_too_long " +
      "no_text too_many_attachments invalid_thread_ts thread_not_found cannot_reply_to_message",
  ],
];

const MEANINGS: ErrorMeanings = Object.fromEntries(
  ERROR_WORDS.flatMap(([type, retryable, words]) =>
    words.split(" ").map((errorWord) => [errorWord, [type, retryable, `slack_${errorWord}`] as const]),
  ),
);

/** The error words after which a part of the request may have taken effect, according to Slack. */
const EFFECT_UNKNOWN = new Set(["fatal_error", "internal_error", "request_timeout", "service_unavailable"]);

/**
 * Returns the meaning of an error word. An unknown word has the meaning of the status. A text that is not a single word
 * is ignored.
 */
export function slackMeaning(errorWord: string): Meaning {
  if (!/^[a-z_]{1,60}$/.test(errorWord)) return {};
  const effect = EFFECT_UNKNOWN.has(errorWord) ? ({ effect: "unknown" } as const) : {};
  return { code: `slack_${errorWord}`, ...meaningFrom(MEANINGS, errorWord), ...effect, providerMessage: errorWord };
}
