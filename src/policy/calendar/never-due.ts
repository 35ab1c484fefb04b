// The refusal of a schedule that has no future occurrence.

export const neverDue = {
  code: "invalid_input",
  message: "The schedule has no occurrence in the future.",
  hint: "Check cron_expr (30 February does not exist), or choose a later ends_at.",
  errors: [{ pointer: "/cron_expr", code: "never_due", message: "has no occurrence in the future" }],
} as const;
