// Catalog failures: distinguishes a catalog that does not answer from a bug of ours. D1's exceptions have no code, only
// this text; drizzle wraps some of them, with the original as the cause.
const ROW_MISTAKE = /SQLITE_(?:CONSTRAINT|MISMATCH|RANGE|TOOBIG)|string or blob too big/;
const SCHEMA_MISTAKE = /SQLITE_ERROR|no such (?:table|column)|syntax error/;

export function isCatalogFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.message.startsWith("D1_ERROR")) return !isMistake(error.message);
  return isCatalogFailure(error.cause);
}

/** A bug, or a value that D1 never accepts: no wait fixes it. */
export function isOurMistake(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.message.startsWith("D1_ERROR")) return isMistake(error.message);
  return isBug(error) || isOurMistake(error.cause);
}

/** The fault is in one row, and not in what all rows need, such as a missing table. */
export function isRowMistake(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.message.startsWith("D1_ERROR")) return ROW_MISTAKE.test(error.message);
  return isBug(error) || isRowMistake(error.cause);
}

function isMistake(message: string): boolean {
  return ROW_MISTAKE.test(message) || SCHEMA_MISTAKE.test(message);
}

function isBug(error: Error): boolean {
  return [TypeError, ReferenceError, RangeError, SyntaxError].some((kind) => error instanceof kind);
}
