// About when an execution was created, as far as its id tells: ids that the engine chose hold the time, so the catalog
// need not be searched from end to end. Of an action with a dedup key it comes after the key's digest.
const TIMED =
  /^exe_(?:d[0-9A-Z]{26}([0-9A-HJKMNP-TV-Z]{10})|([0-9A-HJKMNP-TV-Z]{10})[0-9A-HJKMNP-TV-Z]{16})(?:_p\d+)?$/;
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** Worker and object have clocks of their own, and a start may wait. */
const SLACK_MS = 60 * 60_000;

export function createdAround(execution: string): { readonly from: number; readonly to: number } | null {
  const [, deduped, plain] = TIMED.exec(execution) ?? [];
  const time = deduped ?? plain;
  if (time === undefined) return null;
  const at = Array.from(time).reduce((sum, letter) => sum * 32 + ALPHABET.indexOf(letter), 0);
  return { from: at - SLACK_MS, to: at + SLACK_MS };
}
