// The refusal of a schedule that has no future occurrence.

export const neverDue = {
  code: "invalid_input",
  message: "The schedule has no occurrence from now on.",
  hint: "Check the expression (30 February does not exist), or move the end.",
  errors: [{ pointer: "/cron_expr", code: "never_due", message: "has no occurrence from now on" }],
} as const;
