// The refusal of a schedule that has no occurrence from now on.

export const neverDue = {
  code: "invalid_input",
  message: "This never comes due: there is no occurrence from now on.",
  hint: "See what the expression means: 30 February never is. Or leave the end further off.",
  errors: [{ pointer: "/cron_expr", code: "never_due", message: "has no occurrence from now on" }],
} as const;
