// A budget for the texts of warnings. A response shows only the first warnings, so the search for an intended name is
// done only for these.
import { CORRECTED_TEMPLATE_CHARS_MAX, WARNINGS_RETURNED_MAX } from "#schema/limits/definition-sizes.ts";
import type { Warning } from "#schema/refusal.ts";
import { warning } from "./finding.ts";

/** The budget that all portions of one check share. */
export type WarningBudget = {
  /**
   * Returns the warning that `write` creates. If the response is already full, returns a placeholder instead, because
   * the warning is then only counted.
   */
  readonly make: (write: () => Warning) => Warning;
  /**
   * Whether a patch may be computed for a warning about the text. It reads the whole text twice, so the total length is
   * limited. Beyond the limit, warnings have no patch.
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
