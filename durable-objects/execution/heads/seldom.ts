// Something that comes slowly, and takes its time to be told: asked now and then while it has not come, and every time once
// it has, for it may be over.
import { FULL_ASKED_EVERY } from "#schema/limits/crowding.ts";

export function askedSeldom(ask: () => boolean): () => boolean {
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
