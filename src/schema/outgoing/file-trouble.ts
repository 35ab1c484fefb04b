// What becomes of a message whose files were not to be had. It is between the engine and whoever keeps the files: nothing
// was sent, and the message's provider has no part in it.
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
