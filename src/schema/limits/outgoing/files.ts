// File limits: attachments and documents of messages, and the memory that they use in an isolate (128 MB).

/** The largest size of all files of one message. Base64 later adds a third. */
export const FILES_BYTES_MAX = 25 * 1024 * 1024;
/** The most files that are fetched for one message. Each download needs a connection. */
export const FILES_FETCHED_MAX = 20;
/** How long the download of all files may take. The provider's call needs the rest of the attempt's time. */
export const FILES_WITHIN_MS = 20_000;
/** The memory that the files of all runs in an isolate may use. */
export const FILE_MEMORY_BYTES = 32 * 1024 * 1024;
/**
 * How much of the file memory one tenant may use. It is enough for one message of the largest size, and the rest is for
 * other tenants.
 */
export const FILE_MEMORY_TENANT_BYTES = FILES_BYTES_MAX;
/** Files up to this size need no reserved memory, because even a config without files may be as large. */
export const FILES_UNRESERVED_BYTES = 128 * 1024;
/** How often a call that waits for file memory checks whether memory is free. */
export const FILE_MEMORY_POLL_MS = 50;
/** If a waiting call has not checked for this long, it counts as lost. */
export const FILE_MEMORY_LOST_MS = 2_000;
