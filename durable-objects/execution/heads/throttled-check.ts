// Throttled check: caches the answer of an expensive check. After the answer false, most calls return false without a
// check. After the answer true, every call checks, because the condition may have ended.
import { CELL_SIZE_CHECKED_EVERY_STARTS } from "#schema/limits/large-cells.ts";

export function throttledCheck(check: () => boolean): () => boolean {
  let skipsLeft = 0;
  return () => {
    if (skipsLeft > 0) {
      skipsLeft -= 1;
      return false;
    }
    const isTrue = check();
    if (!isTrue) skipsLeft = CELL_SIZE_CHECKED_EVERY_STARTS - 1;
    return isTrue;
  };
}
