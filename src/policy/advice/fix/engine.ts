// What to do about errors of the engine's own: configs, templates, secrets, connections, and runs that got stuck.
import { transient, obsolete, permanent, fixable, type Fixes } from "./entry.ts";

const credential = fixable("Set the credential that the message names on the connection, then retry.");

export const engineFixes: Fixes = {
  undeliverable: transient(
    "The engine could not reach the execution for long. Nothing is wrong with the action: retry.",
  ),
  runner_threw: transient("A runner of the engine broke, which is our mistake. Look at repeatSafe, then retry."),
  outcome_invalid: permanent("A runner gave no valid answer, which is our mistake: see at the provider what was done."),
  called_off: transient("It was called off while it was carried out. Look at repeatSafe, then retry if it is wanted."),
  engine_mistake: transient(
    "The engine broke before it tried anything, which is our mistake: see its log, then retry.",
  ),
  catalog_unavailable: transient("The engine's catalog did not answer. Nothing was tried: retry."),
  connection_held: transient(
    "Its connection let nothing through (rate limit or open breaker). Nothing was tried: retry.",
  ),
  unknown_type: fixable("No runner knows this action's type: deploy a version that does, then retry."),
  invalid_config: fixable('Retry with the fields that the message names put right: `{"config": {…}}`.'),
  answer_unreadable: permanent(
    "The provider said yes, and the rest of its answer could not be read: see there what was done. Archive it if it was; retry it if not.",
  ),
  unavailable: transient("The engine did not answer just now. Retry."),

  template_unknown: fixable("Create the template that the config names, or retry with one that exists."),
  template_failed: fixable("A variable is missing or of another kind: retry with it in config.variables."),
  template_empty: fixable("Give the template html or text, or retry with another template."),
  template_without_subject: fixable("Give the template a subject of one line, or retry with another template."),

  secret_missing: fixable("Set the secret that the message names (PUT /v1/secrets/{name}), then retry."),
  secret_bound_elsewhere: fixable(
    "The secret that the message names may not go there: retry with an address it may go to, or let it (PATCH /v1/secrets/{name}).",
  ),
  secrets_unreadable: fixable(
    "The installation's SECRETS_KEYS does not open what is stored: put the old key back, then retry.",
  ),
  signing_secret_missing: fixable("Set SIGNING_KEY for the installation, or retry with sign: false."),
  signing_secret_invalid: fixable(
    "A key that sign.secret names must be whsec_ and 24 to 64 bytes in base64: set it anew, then retry.",
  ),

  connection_missing: fixable("Create the connection that the config names (POST /v1/connections), then retry."),
  connection_ambiguous: fixable('There are several accounts at this provider: retry with one named in "connection".'),
  connection_mismatch: fixable("The connection belongs to another provider: retry with one that fits."),
  credential_missing: credential,
  credential_invalid: fixable("The connection's credential has the wrong form: set it anew, then retry."),
  credential_unsendable: fixable("A credential has characters that no header can carry: set it anew, then retry."),
  base_url_missing: fixable("Give the connection a baseUrl, then retry."),
  settings_invalid: fixable("Put the connection's settings right as the message says, then retry."),
  auth_mismatch: fixable("The connection's auth does not give tokens: change its auth or the config's, then retry."),
  token_refused: fixable("The provider refused the connection's token: set its credentials anew, then retry."),
  token_lost: transient("A new access token was got and then lost. Retry."),
  token_missing: fixable(
    "The token endpoint answered without a token: check the connection's auth settings, then retry.",
  ),
  token_answer_unreadable: transient(
    "The token endpoint answered something that is no JSON: a bad moment, or a wrong tokenEndpoint. Retry.",
  ),
  token_endpoint_unavailable: transient("The token endpoint did not answer, or had a bad moment. Retry."),
  token_type_unsupported: permanent(
    "The provider gives tokens that need a proof with each request: ask it for bearer tokens for this client.",
  ),
  invalid_scope: fixable("The provider knows no such scope, or not for this client: correct the scopes, then retry."),
  unsupported_grant_type: fixable("The provider knows no such grant: use another one, then retry."),
  invalid_client: fixable(
    "The token endpoint does not know these credentials: set client id and secret anew, then retry.",
  ),
  invalid_grant: fixable(
    "The refresh token or assertion is no longer valid: set the secret that it comes from anew, then retry.",
  ),
  unauthorized_client: fixable("This client may not ask for such tokens: allow it at the provider, then retry."),

  tasks_missing: permanent("This installation makes no tasks."),
  due_date: fixable("Retry with a dueDate that is a date, an instant or a duration."),
  engine_missing: permanent("This installation starts no executions from actions."),
  definition_archived: fixable("The definition to be started is archived: retry with another version."),
  definition_unpublished: fixable(
    "Nothing of the definition to be started is published: publish a version, then retry.",
  ),
  definition_invalid: fixable("The definition to be started is not valid: create a version that is, then retry."),
  execution_final: obsolete("The execution that was to hear of it has ended. Archive it."),
  event_not_accepted: fixable(
    "The other execution does not take the event where it stands: bring it there, then retry.",
  ),
  event_too_late: obsolete("The other execution is past the states that listen for this event. Archive it."),
  event_unknown: fixable("The other execution knows no such event: retry with its right type."),
  event_buffer_full: transient("Too many events waited in the other execution. Retry."),
  payload_invalid: fixable(
    "The payload is not what the other execution declares for this event: retry with one that is what its definition declares.",
  ),
  variables_invalid: fixable(
    "The variables are not what the definition to be started declares: retry with those that its input asks for.",
  ),
  rule_too_costly: fixable(
    "Taking the event would cost the other execution more than one step may: retry with a smaller payload.",
  ),
  receipts_full: transient("The other execution has taken more events within a day than it can remember. Retry later."),
};
