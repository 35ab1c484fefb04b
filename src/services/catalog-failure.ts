// Catalog failures: tells apart a catalog that does not answer and a bug of the engine. D1's exceptions have no code,
// so their text is matched. Drizzle wraps some of them and keeps the original as the cause.
const ROW_MISTAKE = /SQLITE_(?:CONSTRAINT|MISMATCH|RANGE|TOOBIG)|string or blob too big/;
const SCHEMA_MISTAKE = /SQLITE_ERROR|no such (?:table|column)|syntax error/;

export function isCatalogFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.message.startsWith("D1_ERROR")) return !isMistake(error.message);
  return isCatalogFailure(error.cause);
}

/** True for a bug of the engine, or for a value that D1 never accepts: waiting does not help. */
export function isOurMistake(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.message.startsWith("D1_ERROR")) return isMistake(error.message);
  return isBug(error) || isOurMistake(error.cause);
}

/** True if the fault is in a single row. False for a fault that every row meets, such as a missing table. */
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
