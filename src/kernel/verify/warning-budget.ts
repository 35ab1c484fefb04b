// A budget for the texts of warnings. Only the first warnings are shown, so the intended name is searched only for
// these.
import { CORRECTED_TEMPLATE_CHARS_MAX, WARNINGS_RETURNED_MAX } from "#schema/limits/definition-sizes.ts";
import type { Warning } from "#schema/refusal.ts";
import { warning } from "./finding.ts";

/** The budget that all portions of a check share. */
export type WarningBudget = {
  /**
   * Returns the warning that `write` writes. If so many warnings came before that this one is never shown, returns a
   * placeholder for the count.
   */
  readonly make: (write: () => Warning) => Warning;
  /**
   * Whether a patch may be computed for the text. A patch reads the whole text twice, so the total length is limited.
   * Warnings beyond this limit have no patch.
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
