// A budget for the texts of warnings. Only the first warnings are shown, so only these are worth a search for the
// intended name.
import { CORRECTED_TEMPLATE_CHARS_MAX, WARNINGS_RETURNED_MAX } from "#schema/limits/definitions/definition-size.ts";
import type { Warning } from "#schema/refusal.ts";
import { warning } from "./finding.ts";

/** One budget is shared by all portions of a check. */
export type WarningBudget = {
  /**
   * Writes the warning, or returns a placeholder for counting if so many warnings came before that it is never shown.
   */
  readonly make: (write: () => Warning) => Warning;
  /**
   * Whether a patch may be computed. A patch reads its whole text twice, so the total length is limited, and further
   * warnings have no patch.
   */
  readonly mayPatch: (text: string) => boolean;
};

export function openWarningBudget(): WarningBudget {
  let [warnings, chars] = [WARNINGS_RETURNED_MAX, CORRECTED_TEMPLATE_CHARS_MAX];
  return {
    make: (write) => {
      warnings -= 1;
      return warnings < 0 ? NOT_SHOWN : write();
    },
    mayPatch: (text) => {
      chars -= text.length;
      return chars >= 0;
    },
  };
}

const NOT_SHOWN: Warning = warning("", "more_warnings", "", { fix: "" });
