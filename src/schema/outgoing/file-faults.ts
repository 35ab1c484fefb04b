// File faults: error codes of a message whose files could not be fetched. The provider of the message was then not
// called.
import type { ActionError } from "../engine/outcome.ts";

export const FILE_FAULTS: readonly string[] = [
  "file_not_found",
  "file_refused",
  "file_unavailable",
  "file_timeout",
  "files_busy",
];

export function isFileFault({ code }: Pick<ActionError, "code">): boolean {
  return code !== undefined && FILE_FAULTS.includes(code);
}
