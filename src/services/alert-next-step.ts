// What a person who is told of a failure had best do first.
import type { AlertCode } from "#schema/alert.ts";

const SEND_AGAIN = "then send it again: POST /v1/dead-letters/{id}/retry. It keeps its idempotency key.";

const steps: { readonly [errorType: string]: string } = {
  authentication_failed: `check the connection's credentials (POST /v1/connections/{name}/test), ${SEND_AGAIN}`,
  authorization_failed: `give the connection's account the right it lacks, ${SEND_AGAIN}`,
  invalid_configuration:
    "correct what is missing or wrong in config, variables, secrets or templates. POST /v1/dead-letters/{id}/retry " +
    "takes changes to config and variables.",
  malformed_request:
    "see what the provider objects to, and send it again with a changed config: POST /v1/dead-letters/{id}/retry.",
  not_found: `see whether what it asks for has moved or is gone; correct the config where it has, ${SEND_AGAIN}`,
  rate_limit: `wait, or lower the connection's rateLimit to what the provider allows, ${SEND_AGAIN}`,
  network_error: `see whether the receiver can be reached, ${SEND_AGAIN}`,
  service_unavailable: `see whether the provider is up again, ${SEND_AGAIN}`,
  timeout: `find out whether it took effect all the same; if not, ${SEND_AGAIN}`,
};

export function nextStep(code: AlertCode, errorType: string | null): string {
  switch (code) {
    case "action_failed":
      return steps[errorType ?? ""] ?? `look at the error and its attempts, put right what is wrong, ${SEND_AGAIN}`;
    case "execution_paused":
      return (
        "look at its dead letter and send that again (POST /v1/dead-letters/{id}/retry), " +
        "then let the execution go on: POST /v1/executions/{id}/resume."
      );
    case "execution_failed":
      return "read its journal (GET /v1/executions/{id}/journal): the last entries say what ended it.";
  }
}
