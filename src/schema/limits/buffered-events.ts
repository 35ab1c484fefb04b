// Event limits: the payload of an event, and how many events an execution buffers until a state or node accepts them.
const KIB = 1024;

/** The largest payload of an event. */
export const PAYLOAD_BYTES_MAX = 64 * KIB;
/** The most events that an execution buffers while it is paused or no state accepts them. */
export const EVENTS_BUFFERED_MAX = 100;
/** The most events that a journey buffers because only a later node accepts them. */
export const JOURNEY_EVENTS_BUFFERED_MAX = 100;
/** The largest total size of the events that a journey buffers because only a later node accepts them. */
export const JOURNEY_EVENTS_BUFFERED_BYTES_MAX = 256 * 1024;
