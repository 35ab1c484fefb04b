// How an endpoint's summary reads: an imperative verb and its object, at most six words. "Retry a dead letter".

const WORDS_MAX = 6;

/** The verbs with which a summary may begin. A new one is added here when no other says it. */
const VERBS: ReadonlySet<string> = new Set([
  ...[
    "Abort",
    "Add",
    "Append",
    "Apply",
    "Archive",
    "Cancel",
    "Check",
    "Complete",
    "Create",
    "Delete",
    "Diff",
    "Disable",
    "Dispatch",
  ],
  ...[
    "Enable",
    "Export",
    "Enroll",
    "Erase",
    "Explain",
    "Forecast",
    "Get",
    "Hold",
    "List",
    "Open",
    "Patch",
    "Pause",
    "Plan",
    "Poll",
  ],
  ...[
    "Preview",
    "Process",
    "Publish",
    "Re-encrypt",
    "Reassign",
    "Reconcile",
    "Release",
    "Replay",
    "Reschedule",
    "Restart",
  ],
  ...[
    "Restrict",
    "Resume",
    "Retry",
    "Revoke",
    "Roll",
    "Rotate",
    "Run",
    "Send",
    "Set",
    "Skip",
    "Start",
    "Stream",
    "Suspend",
  ],
  ...["Test", "Trigger", "Update", "Upload", "Validate", "Wake", "Watch"],
]);

/** What is wrong with it; null where nothing is. */
export function faultOf(summary: string): string | null {
  const words = summary.split(" ");
  if (!VERBS.has(words[0] ?? ""))
    return `begins with "${words[0]}", which is no verb of test/tidy/wording/summaries.ts`;
  return words.length > WORDS_MAX ? `has ${words.length} words; the limit is ${WORDS_MAX}` : null;
}
