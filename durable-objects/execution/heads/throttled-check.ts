// Throttled check: queries an expensive condition that changes rarely. At intervals while it is false, and every time
// once it is true, because it may end.
import { CELL_SIZE_CHECKED_EVERY_STARTS } from "#schema/limits/large-cells.ts";

export function throttledCheck(ask: () => boolean): () => boolean {
  let unasked = 0;
  return () => {
    if (unasked > 0) {
      unasked -= 1;
      return false;
    }
    const has = ask();
    if (!has) unasked = CELL_SIZE_CHECKED_EVERY_STARTS - 1;
    return has;
  };
}
