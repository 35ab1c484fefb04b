// Finds the suggested fix of a failed run: by its error code, or by its error type if the code has no fix.
import { databaseFixes } from "./fix/database.ts";
import { docusignFixes } from "./fix/docusign.ts";
import { emailFixes } from "./fix/email.ts";
import { engineFixes } from "./fix/engine.ts";
import { evmFixes } from "./fix/evm.ts";
import { fixesByType, fixOfUnknownType } from "./fix/by-type.ts";
import type { Fix, Fixes } from "./fix/entry.ts";
import { httpFixes } from "./fix/http.ts";
import { pushFixes } from "./fix/push.ts";
import { slackFixes } from "./fix/slack.ts";
import { smsFixes } from "./fix/sms.ts";
import { workerFixes } from "./fix/worker.ts";

export type { Fix };

/** All fixes by error code. A code has the same meaning in all runners. */
export const fixesByCode: Fixes = {
  ...httpFixes,
  ...engineFixes,
  ...emailFixes,
  ...smsFixes,
  ...slackFixes,
  ...docusignFixes,
  ...pushFixes,
  ...evmFixes,
  ...databaseFixes,
  ...workerFixes,
};

/** The failure as the catalog lists it. */
export type ListedFailure = {
  readonly errorType: string | null;
  readonly code: string | null;
  /** Why the engine made no further attempt; null if all attempts were used. */
  readonly reason: string | null;
};

export function fixFor({ errorType, code, reason }: ListedFailure): Fix {
  const fix = fixOf(fixesByCode, code) ?? fixOf(fixesByType, errorType) ?? fixOfUnknownType;
  return reason === "time_budget_spent" ? { ...fix, suggestedFix: `${TIME_BUDGET_SPENT} ${fix.suggestedFix}` } : fix;
}

const TIME_BUDGET_SPENT =
  "The time budget of the run (totalTimeMs) ended before the last attempt. A retry starts a new budget.";

function fixOf(fixes: Fixes, key: string | null): Fix | undefined {
  return key !== null && Object.hasOwn(fixes, key) ? fixes[key] : undefined;
}
