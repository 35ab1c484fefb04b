// File faults: the error of a message whose files were not available. Nothing was sent, and the message's provider is
// not involved.
import type { ActionError } from "../engine/outcome.ts";

export const FILE_TROUBLES: readonly string[] = [
  "file_not_found",
  "file_refused",
  "file_unavailable",
  "file_timeout",
  "files_busy",
];

export function isFileTrouble({ code }: Pick<ActionError, "code">): boolean {
  return code !== undefined && FILE_TROUBLES.includes(code);
}
