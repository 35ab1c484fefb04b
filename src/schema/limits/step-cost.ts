// Step cost limits: how much work one input of an execution may cause.

/** The most microsteps (transitions without an event) of one machine step. */
export const MICROSTEPS_MAX = 1_000;
/** The most buffered and internal events that one input triggers, one after another. */
export const MACROSTEPS_MAX = 1_000;
/** The most steps of one rule. A step is one operator, operand or list item. */
export const RULE_STEPS_MAX = 250_000;
/**
 * The most cost units of one step: rules, templates and microsteps together. A unit is one plain operator of a rule, some
 * 50 ns, so a step ends after about a tenth of a second.
 */
export const STEP_WORK_MAX = 1_000_000;
/** The additional cost units with which a machine handles the failure of a run that exceeded `STEP_WORK_MAX`. */
export const STEP_WORK_SPARE = 100_000;
/** The assumed length of a list that the definition does not contain, for cost estimates. */
export const LIST_ITEMS_ASSUMED = 100;
