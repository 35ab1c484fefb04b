// Executions that start others, or go on where others were: how deep, how many, and how long they are looked for.

/** Executions that wait for each other's ends, one below the other, the outermost not counted. */
export const CHILD_DEPTH_MAX = 16;
/** Executions that start the next one and wait for none: what starts itself for ever ends after so many. */
export const RELAYS_MAX = 1_000;
/** One that has lived so long before it starts the next is no runaway: its successors are counted anew. */
export const RELAY_REST_MS = 60 * 60_000;
/** Of one execution, as long as they have not ended: each is kept in its row. */
export const CHILDREN_OPEN_MAX = 500;
/** So far below the one that was asked for a tree is told, and so far above it. */
export const TREE_DEPTH_MAX = 32;
/** Of them in one answer: each is asked where it lives. */
export const TREE_PAGE_MAX = 50;
/** A cursor is the way from the one that was asked for to the last one told. */
export const TREE_CURSOR_CHARS_MAX = 4_000;
/** Of what each in a tree waits for. */
export const TREE_WAITS_MAX = 3;
/** A start is refused after its attempt's deadline. Clocks differ a little: so long after it nobody begins any more. */
export const CHILD_START_GRACE_MS = 60_000;
/** Entries of its history, from the beginning: longer ones are restarted with "repeat": "all". */
export const RESTART_ENTRIES_MAX = 5_000;
/** What it has made, together, as far as it is passed over. */
export const RESTART_MADE_BYTES_MAX = 256 * 1024;
/** Of what it has made so many are listed, the latest. */
export const RESTART_LISTED_MAX = 200;
