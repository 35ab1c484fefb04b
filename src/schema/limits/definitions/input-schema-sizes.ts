// Input schema limits: the JSON Schemas that a definition sets for starts and events, and their violations.

/** The most event types with a schema. */
export const EVENT_SCHEMAS_MAX = 200;
/** The most subschemas in the schema of a start or an event type. */
export const SCHEMA_NODES_MAX = 500;
/** The deepest nesting of subschemas. */
export const SCHEMA_DEPTH_MAX = 16;
/** The most alternatives of an anyOf, oneOf or allOf. */
export const SCHEMA_CHOICES_MAX = 50;
/** The most values of an enum. */
export const SCHEMA_VALUES_MAX = 500;
/** The longest pattern. */
export const SCHEMA_PATTERN_CHARS_MAX = 500;
/**
 * The most parts of a pattern, with each repetition counted. A check may compare each letter of a text with all parts.
 */
export const SCHEMA_PATTERN_PARTS_MAX = 1_000;
/** The deepest nesting of schemas during a check, references included. Deeper schemas would exceed the call stack. */
export const SCHEMA_CHECK_DEPTH_MAX = 400;
/** The most violations that one answer lists. */
export const SCHEMA_VIOLATIONS_MAX = 20;
