// A budget for the texts of warnings: only the first warnings are shown, so that only these are worth a search for what was meant.
import { PATCHED_CHARS_MAX, WARNINGS_TOLD_MAX } from "#schema/limits/kernel.ts";
import type { Warning } from "#schema/refusal.ts";
import { warning } from "./finding.ts";

/** All portions of a check share one budget. */
export type WarningBudget = {
  /** The warning, or one that only counts, because so many come before it that it is never shown. */
  readonly make: (write: () => Warning) => Warning;
  /** A patch reads its whole text twice: so many letters are read for all of them, and further warnings have none. */
  readonly mayPatch: (text: string) => boolean;
};

export function openWarningBudget(): WarningBudget {
  let [warnings, chars] = [WARNINGS_TOLD_MAX, PATCHED_CHARS_MAX];
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
