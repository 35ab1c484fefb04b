// Step cost limits: how much work one input of an execution may cause.

/** The most microsteps (transitions without an event) of one machine step. */
export const MICROSTEPS_MAX = 1_000;
/** The most buffered and internal events that follow from one input. */
export const MACROSTEPS_MAX = 1_000;
/** The most steps of one rule. A step is one operator, operand or list item. */
export const RULE_STEPS_MAX = 250_000;
/**
 * The most cost units of one step: rules, templates and microsteps together. A unit is one plain operator of a rule and
 * takes some 50 ns. A step therefore ends after about a tenth of a second.
 */
export const STEP_WORK_MAX = 1_000_000;
/**
 * If a step exceeds `STEP_WORK_MAX`, its run fails. The machine may use this many further cost units to handle the
 * failure.
 */
export const STEP_WORK_SPARE = 100_000;
/** The assumed length of a list whose items the definition does not contain. Cost estimates use this length. */
export const LIST_ITEMS_ASSUMED = 100;
