// Definition limits: the size of a machine, the number of actions, and the number of findings that one check returns.
import { TEMPLATE_BYTES_MAX } from "./template-sizes.ts";

/** The largest definition: it is stored in one row (2 MB) and sent in one start call. */
export const DEFINITION_BYTES_MAX = 256 * 1024;
/** The most states of a machine. */
export const MACHINE_STATES_MAX = 500;
/** The most levels of nested states. */
export const STATE_DEPTH_MAX = 12;
/** The most parallel states (regions) that can be active at the same time, including nested ones. */
export const REGIONS_MAX = 32;
/** The most actions of a definition. */
export const DEFINITION_ACTIONS_MAX = 200;
/** The most transitions of one state for one event. */
export const TRANSITIONS_PER_EVENT_MAX = 50;

/** The most warnings that a check of a definition returns. */
export const WARNINGS_RETURNED_MAX = 200;
/** The most characters of templates that one check reads to suggest corrections. */
export const CORRECTED_TEMPLATE_CHARS_MAX = TEMPLATE_BYTES_MAX;
/** The most event types that a check compares for similar spellings. Each type is compared with every other type. */
export const EVENT_TYPES_COMPARED_MAX = 300;
/** The most known names of which the suggestion for an unknown name is chosen. */
export const SUGGESTED_NAMES_COMPARED_MAX = 100;
/** The most known names that a finding about an unknown name lists. */
export const NAMES_LISTED_MAX = 20;
