// Catalog failures: distinguishes a catalog that does not answer from a bug of the engine. D1's exceptions have no
// code, so their text is matched. Drizzle wraps some of them and keeps the original as the cause.
const ROW_ERRORS = /SQLITE_(?:CONSTRAINT|MISMATCH|RANGE|TOOBIG)|string or blob too big/;
const SCHEMA_ERRORS = /SQLITE_ERROR|no such (?:table|column)|syntax error/;

export function isCatalogFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.message.startsWith("D1_ERROR")) return !isStatementError(error.message);
  return isCatalogFailure(error.cause);
}

/**
 * True if the exception is a bug of the engine, or if D1 will never accept the value. In both cases an unchanged retry
 * would fail as well.
 */
export function isEngineBug(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.message.startsWith("D1_ERROR")) return isStatementError(error.message);
  return isJavaScriptError(error) || isEngineBug(error.cause);
}

/** True if a single row causes the failure. False if every row would fail, for example because a table is missing. */
export function isRowFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.message.startsWith("D1_ERROR")) return ROW_ERRORS.test(error.message);
  return isJavaScriptError(error) || isRowFault(error.cause);
}

function isStatementError(message: string): boolean {
  return ROW_ERRORS.test(message) || SCHEMA_ERRORS.test(message);
}

function isJavaScriptError(error: Error): boolean {
  return [TypeError, ReferenceError, RangeError, SyntaxError].some((kind) => error instanceof kind);
}
