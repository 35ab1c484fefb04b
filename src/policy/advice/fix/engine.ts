// Suggested fixes for errors of the engine: configs, templates, secrets, connections and stuck runs.
import { transient, obsolete, permanent, fixable, type Fixes } from "./entry.ts";

const credential = fixable("Set the credential named in the message on the connection, then retry.");

export const engineFixes: Fixes = {
  undeliverable: transient("The engine could not reach the execution for a long time. The action is valid: retry."),
  runner_threw: transient("A runner crashed, which is an engine error. Check repeatSafe, then retry."),
  outcome_invalid: permanent(
    "A runner returned no valid result, which is an engine error: check at the provider what was done.",
  ),
  called_off: transient("It was canceled while in progress. Check repeatSafe, then retry if it is still needed."),
  engine_mistake: transient("The engine failed before the attempt: see its log, then retry."),
  catalog_unavailable: transient("The catalog was not available. Nothing was attempted: retry."),
  connection_held: transient(
    "Its connection admitted no call (rate limit or open breaker). Nothing was attempted: retry.",
  ),
  unknown_type: fixable("No runner exists for this action type: deploy a version that has it, then retry."),
  invalid_config: fixable('Correct the fields named in the message, then retry: `{"config": {…}}`.'),
  answer_unreadable: permanent(
    "The provider accepted the call, but its response broke off: check there what was done. Archive it if done; otherwise retry.",
  ),
  unavailable: transient("The engine was not available. Retry."),

  template_unknown: fixable("Create the template named in the config, or retry with an existing one."),
  template_failed: fixable("A variable is missing or has the wrong type: set it in config.variables, then retry."),
  template_empty: fixable("Add html or text to the template, or retry with another template."),
  template_without_subject: fixable("Give the template a one-line subject, or retry with another template."),

  secret_missing: fixable("Set the secret named in the message (PUT /v1/secrets/{name}), then retry."),
  secret_bound_elsewhere: fixable(
    "The secret named in the message is restricted to other hosts: retry with an allowed address, or allow this one (PATCH /v1/secrets/{name}).",
  ),
  secrets_unreadable: fixable("SECRETS_KEYS cannot decrypt the stored secret: restore the old key, then retry."),
  signing_secret_missing: fixable("Set SIGNING_KEY for the installation, or retry with sign: false."),
  signing_secret_invalid: fixable(
    "A key named in sign.secret must be whsec_ and 24 to 64 bytes in base64: set it again, then retry.",
  ),

  connection_missing: fixable("Create the connection named in the config (POST /v1/connections), then retry."),
  connection_ambiguous: fixable(
    'The tenant has several accounts at this provider: name one in "connection", then retry.',
  ),
  connection_mismatch: fixable("The connection belongs to another provider: use a matching one, then retry."),
  credential_missing: credential,
  credential_invalid: fixable("The connection's credential has the wrong format: set it again, then retry."),
  credential_unsendable: fixable("A credential has characters that are invalid in a header: set it again, then retry."),
  base_url_missing: fixable("Set the connection's baseUrl, then retry."),
  settings_invalid: fixable("Correct the connection's settings as the message says, then retry."),
  auth_mismatch: fixable("The connection's auth issues no tokens: change its auth or the config's, then retry."),
  token_refused: fixable("The provider rejected the connection's token: set its credentials again, then retry."),
  token_lost: transient("A new access token was issued and then lost. Retry."),
  token_missing: fixable("The token endpoint returned no token: check the connection's auth settings, then retry."),
  token_answer_unreadable: transient(
    "The token endpoint returned no JSON: a temporary error, or a wrong tokenEndpoint. Retry.",
  ),
  token_endpoint_unavailable: transient("The token endpoint did not respond, or failed temporarily. Retry."),
  token_type_unsupported: permanent(
    "The provider issues tokens that need a proof per request: request bearer tokens for this client.",
  ),
  invalid_scope: fixable(
    "The provider does not know this scope, or not for this client: correct the scopes, then retry.",
  ),
  unsupported_grant_type: fixable("The provider does not support this grant: use another one, then retry."),
  invalid_client: fixable("The token endpoint rejects these credentials: set client id and secret again, then retry."),
  invalid_grant: fixable("The refresh token or assertion is no longer valid: set its secret again, then retry."),
  unauthorized_client: fixable("This client may not request such tokens: allow it at the provider, then retry."),

  tasks_missing: permanent("This installation has no tasks."),
  due_date: fixable("Retry with a dueDate that is a date, an instant or a duration."),
  engine_missing: permanent("This installation does not allow actions to start executions."),
  definition_archived: fixable("The definition to start is archived: retry with another version."),
  definition_unpublished: fixable("No version of the definition to start is published: publish one, then retry."),
  definition_invalid: fixable("The definition to start is not valid: create a valid version, then retry."),
  execution_final: obsolete("The receiving execution has ended. Archive it."),
  event_not_accepted: fixable(
    "The current state of the other execution does not accept the event: change its state, then retry.",
  ),
  event_too_late: obsolete("The other execution has passed every state that accepts this event. Archive it."),
  event_unknown: fixable("The other execution has no such event: correct the type, then retry."),
  event_buffer_full: transient("The other execution buffered too many events. Retry."),
  payload_invalid: fixable(
    "The payload does not match the input schema of the other execution: correct it, then retry.",
  ),
  variables_invalid: fixable(
    "The variables do not match the input schema of the definition to start: correct them, then retry.",
  ),
  rule_too_costly: fixable(
    "The event would exceed the step budget of the other execution: retry with a smaller payload.",
  ),
  receipts_full: transient("The other execution stores as many receipts per day as it may. Retry later."),
};
