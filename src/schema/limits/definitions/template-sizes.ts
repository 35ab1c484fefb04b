// Template limits: the size of a Liquid template, its output, and the work of rendering it.
const KIB = 1024;

/** The largest template in a config. */
export const TEMPLATE_BYTES_MAX = 64 * KIB;
/** The largest output of a template. */
export const TEMPLATE_OUTPUT_BYTES_MAX = 256 * KIB;
/** The most steps of one rendering. */
export const TEMPLATE_STEPS_MAX = 100_000;
/** The most memory for texts and lists of one rendering. */
export const TEMPLATE_MEMORY_BYTES_MAX = 16 * TEMPLATE_OUTPUT_BYTES_MAX;
/** The largest part (subject, html, text) of a message template. */
export const MESSAGE_PART_BYTES_MAX = 128 * KIB;
/** The most variables of a message template. */
export const TEMPLATE_VARIABLES_MAX = 100;
