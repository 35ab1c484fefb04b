// What to do about a failed run, by what failed it: its code where there is an entry, else its type of error.
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

export type { Fix };

/** Codes are the runners' own and mean the same wherever they come from. */
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
};

/** What is known of a failure where only lists know of it. */
export type Failed = {
  readonly errorType: string | null;
  readonly code: string | null;
  /** Why tries that were left are not made. */
  readonly reason: string | null;
};

export function fixFor({ errorType, code, reason }: Failed): Fix {
  const fix = entry(fixesByCode, code) ?? entry(fixesByType, errorType) ?? fixOfUnknownType;
  return reason === "time_budget_spent" ? { ...fix, suggestedFix: `${OUT_OF_TIME} ${fix.suggestedFix}` } : fix;
}

const OUT_OF_TIME = "Its time budget (totalTimeMs) ended before its attempts did; a retry starts a new one.";

function entry(fixes: Fixes, key: string | null): Fix | undefined {
  return key !== null && Object.hasOwn(fixes, key) ? fixes[key] : undefined;
}
