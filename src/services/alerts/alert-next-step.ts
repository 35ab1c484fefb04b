// What a person who is told of a failure had best do first.
import { fixFor } from "#policy/advice/suggested-fix.ts";
import type { AlertCode, Failure } from "#schema/alert.ts";

type Cause = Pick<Failure, "errorType" | "errorCode">;

export function nextStep(code: AlertCode, { errorType, errorCode }: Cause): string {
  switch (code) {
    case "action_failed":
      return fixFor({ errorType, code: errorCode, reason: null }).suggestedFix;
    case "execution_paused":
      return "Retry its dead letter (POST /v1/dead-letters/{id}/retry), then let it go on: POST /v1/executions/{id}/resume.";
    case "execution_failed":
      return "Read its journal (GET /v1/executions/{id}/journal): the last entries say what ended it.";
  }
}
