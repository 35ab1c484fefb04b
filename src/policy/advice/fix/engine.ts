// Suggested fixes for errors of the engine: configs, templates, secrets, connections and stuck runs.
import { transient, obsolete, permanent, fixable, type Fixes } from "./entry.ts";

const credential = fixable("The connection lacks the credential named in the message. Set the credential, then retry.");

export const engineFixes: Fixes = {
  undeliverable: transient(
    "The engine could not reach the execution for a long time. The action itself is valid, so retry.",
  ),
  runner_threw: transient("The engine's code for this action type failed. Check the field repeatSafe, then retry."),
  outcome_invalid: permanent(
    "The engine's code for this action type returned no valid result. Check at the provider whether the call took effect.",
  ),
  attempt_canceled: transient(
    "The run was canceled while in progress. If the action is still needed, check the field repeatSafe, then retry.",
  ),
  engine_mistake: transient(
    "The engine failed before the attempt, so nothing was sent. Read the engine's log, then retry.",
  ),
  catalog_unavailable: transient("The catalog was not available, so nothing was sent. Retry."),
  connection_held: transient(
    "The connection allowed no call (rate limit or open circuit breaker), so nothing was sent. Retry.",
  ),
  unknown_type: fixable(
    "The deployed engine does not have this action type. Deploy a version that has it, then retry.",
  ),
  invalid_config: fixable('Correct the fields named in the message, then retry: `{"config": {…}}`.'),
  answer_unreadable: permanent(
    "The provider accepted the call, but the network connection broke during the response. Check at the provider whether the call took effect. If it did, archive the dead letter. If not, retry.",
  ),
  unavailable: transient("The engine was not available. Retry."),

  template_unknown: fixable(
    "The template named in the config does not exist. Create the template, or retry with an existing template.",
  ),
  template_failed: fixable(
    "A variable of the template is missing or has the wrong type. Set the variable in config.variables, then retry.",
  ),
  template_empty: fixable(
    "The template has no content. Add html or text to the template, or retry with another template.",
  ),
  template_without_subject: fixable(
    "The template must have a subject of one line. Add the subject, or retry with another template.",
  ),

  secret_missing: fixable("Set the secret named in the message (PUT /v1/secrets/{name}), then retry."),
  secret_host_mismatch: fixable(
    "The secret named in the message is restricted to other hosts. Retry with an address on an allowed host, or allow this host (PATCH /v1/secrets/{name}).",
  ),
  secrets_unreadable: fixable("SECRETS_KEYS cannot decrypt the stored secret: restore the old key, then retry."),
  signing_secret_missing: fixable(
    'The installation has no key to sign webhooks. Set SIGNING_KEY, or retry with "sign": false.',
  ),
  signing_secret_invalid: fixable(
    "The key in sign.secret has the wrong format. Set the key to whsec_ and 24 to 64 bytes in base64, then retry.",
  ),

  connection_missing: fixable("Create the connection named in the config (POST /v1/connections), then retry."),
  connection_ambiguous: fixable(
    'The tenant has several connections for this provider. Name one connection in "connection", then retry.',
  ),
  connection_mismatch: fixable(
    "The connection belongs to another provider. Name a connection of this provider, then retry.",
  ),
  credential_missing: credential,
  credential_invalid: fixable(
    "The connection's credential has the wrong format. Set the credential again, then retry.",
  ),
  credential_unsendable: fixable(
    "A credential has characters that are invalid in a header. Set the credential again, then retry.",
  ),
  base_url_missing: fixable("The connection has no baseUrl. Set the baseUrl, then retry."),
  settings_invalid: fixable("Correct the connection's settings as the message says, then retry."),
  auth_mismatch: fixable(
    "The connection's auth provides no access tokens. Change the auth of the connection or of the config, then retry.",
  ),
  token_refused: fixable(
    "The provider rejected the connection's token. Set the connection's credentials again, then retry.",
  ),
  token_lost: transient("The engine lost an access token that the provider had issued. Retry."),
  token_missing: fixable("The token endpoint returned no token: check the connection's auth settings, then retry."),
  token_answer_unreadable: transient(
    "The token endpoint returned no JSON, perhaps temporarily. Retry. If this continues, correct the connection's tokenEndpoint.",
  ),
  token_endpoint_unavailable: transient("The token endpoint did not respond, or failed temporarily. Retry."),
  token_type_unsupported: permanent(
    "The provider issued a token that requires a proof with each request. Configure the client at the provider so that it issues bearer tokens.",
  ),
  invalid_scope: fixable(
    "The provider does not allow this scope for this client. Correct the connection's scopes, then retry.",
  ),
  unsupported_grant_type: fixable(
    "The provider does not support this grant. Set another grant in the connection's auth, then retry.",
  ),
  invalid_client: fixable("The token endpoint rejects these credentials: set client id and secret again, then retry."),
  invalid_grant: fixable(
    "The refresh token or assertion is no longer valid. Set the secret that contains it again, then retry.",
  ),
  unauthorized_client: fixable(
    "The provider does not allow this client to request tokens with this grant. Allow the grant at the provider, then retry.",
  ),

  tasks_missing: permanent("This installation does not support tasks. Archive the dead letter."),
  due_date: fixable("The dueDate is not valid. Retry with a date, an instant or a duration."),
  engine_missing: permanent("In this installation, actions cannot start executions. Archive the dead letter."),
  definition_archived: fixable("The definition to start is archived: retry with another version."),
  definition_unpublished: fixable("No version of the definition to start is published. Publish a version, then retry."),
  definition_invalid: fixable("The definition to start is not valid: create a valid version, then retry."),
  execution_final: obsolete("The receiving execution has ended. Archive the dead letter."),
  event_not_accepted: fixable(
    "The current state of the other execution does not accept the event. Move that execution to another state, then retry.",
  ),
  event_too_late: obsolete(
    "The other execution has passed every state that accepts this event. Archive the dead letter.",
  ),
  event_unknown: fixable("The other execution's definition has no event of this type. Correct the type, then retry."),
  event_buffer_full: transient("The other execution has reached its limit of waiting events. Retry later."),
  payload_invalid: fixable(
    "The payload does not match the input schema of the other execution. Correct the payload, then retry.",
  ),
  variables_invalid: fixable(
    "The variables do not match the input schema of the definition to start. Correct the variables, then retry.",
  ),
  rule_too_costly: fixable(
    "The event would exceed the step budget of the other execution: retry with a smaller payload.",
  ),
  receipts_full: transient(
    "The other execution has reached its daily limit of requests with an idempotency key or event id. Retry later.",
  ),
};
