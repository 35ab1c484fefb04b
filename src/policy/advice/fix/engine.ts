// What to do about errors of the engine's own: configs, templates, secrets, connections, and runs that got stuck.
import { again, archive, never, once, type Fixes } from "./entry.ts";

const credential = once("Set the credential that the message names on the connection, then retry.");

export const engineFixes: Fixes = {
  undeliverable: again("The engine could not reach the execution for long. Nothing is wrong with the action: retry."),
  runner_threw: again("A runner of the engine broke, which is our mistake. Look at repeatSafe, then retry."),
  outcome_invalid: never("A runner gave no valid answer, which is our mistake: see at the provider what was done."),
  catalog_unavailable: again("The engine's catalog did not answer. Nothing was tried: retry."),
  connection_held: again("Its connection let nothing through (rate limit or open breaker). Nothing was tried: retry."),
  unknown_type: once("No runner knows this action's type: deploy a version that does, then retry."),
  invalid_config: once('Retry with the fields that the message names put right: `{"config": {…}}`.'),
  answer_unreadable: never(
    "The provider's answer could not be read: see there whether it was done, then archive or retry.",
  ),
  unavailable: again("The engine did not answer just now. Retry."),

  template_unknown: once("Create the template that the config names, or retry with one that exists."),
  template_failed: once("A variable is missing or of another kind: retry with it in config.variables."),
  template_empty: once("Give the template html or text, or retry with another template."),
  template_without_subject: once("Give the template a subject of one line, or retry with another template."),

  secret_missing: once("Set the secret that the message names (PUT /v1/secrets/{name}), then retry."),
  secrets_unreadable: once(
    "The installation's SECRETS_KEYS does not open what is stored: put the old key back, then retry.",
  ),
  signing_secret_missing: once("Set SIGNING_KEY for the installation, or retry with sign: false."),
  signing_secret_invalid: once("SIGNING_KEY must be whsec_ and base64: set it anew, then retry."),

  connection_missing: once("Create the connection that the config names (POST /v1/connections), then retry."),
  connection_ambiguous: once('There are several accounts at this provider: retry with one named in "connection".'),
  connection_mismatch: once("The connection belongs to another provider: retry with one that fits."),
  credential_missing: credential,
  credential_invalid: once("The connection's credential has the wrong form: set it anew, then retry."),
  credential_unsendable: once("A credential has characters that no header can carry: set it anew, then retry."),
  base_url_missing: once("Give the connection a baseUrl, then retry."),
  settings_invalid: once("Put the connection's settings right as the message says, then retry."),
  auth_mismatch: once("The connection's auth does not give tokens: change its auth or the config's, then retry."),
  token_refused: once("The provider refused the connection's token: set its credentials anew, then retry."),
  token_lost: again("A new access token was got and then lost. Retry."),
  token_missing: once("The token endpoint answered without a token: check the connection's auth settings, then retry."),
  invalid_client: once(
    "The token endpoint does not know these credentials: set client id and secret anew, then retry.",
  ),
  invalid_grant: once("The refresh token or assertion is no longer valid: set the connection's credentials anew."),
  unauthorized_client: once("This client may not ask for such tokens: allow it at the provider, then retry."),

  tasks_missing: never("This installation makes no tasks."),
  due_date: once("Retry with a dueDate that is a date, an instant or a duration."),
  engine_missing: never("This installation starts no executions from actions."),
  definition_archived: once("The definition to be started is archived: retry with another version."),
  definition_invalid: once("The definition to be started is not valid: create a version that is, then retry."),
  execution_final: archive("The execution that was to hear of it has ended. Archive it."),
  event_not_accepted: once("The other execution does not take the event where it stands: bring it there, then retry."),
  event_too_late: archive("The other execution is past the states that listen for this event. Archive it."),
  event_unknown: once("The other execution knows no such event: retry with its right type."),
  event_buffer_full: again("Too many events waited in the other execution. Retry."),
};
