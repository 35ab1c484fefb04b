// Throttled check: queries an expensive condition that changes rarely. At intervals while it is false, and every time
// once it is true, because it may end.
import { FULL_ASKED_EVERY } from "#schema/limits/crowding.ts";

export function throttledCheck(ask: () => boolean): () => boolean {
  let unasked = 0;
  return () => {
    if (unasked > 0) {
      unasked -= 1;
      return false;
    }
    const has = ask();
    if (!has) unasked = FULL_ASKED_EVERY - 1;
    return has;
  };
}
