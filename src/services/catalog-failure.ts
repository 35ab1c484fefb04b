// Tells a catalog that does not answer from a mistake of ours. D1's exceptions have no code, only this text; drizzle
// wraps some of them, with the original as the cause.
const OUR_MISTAKE = /SQLITE_(?:CONSTRAINT|ERROR|MISMATCH|RANGE)|no such (?:table|column)|syntax error/;

export function isCatalogFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.message.startsWith("D1_ERROR")) return !OUR_MISTAKE.test(error.message);
  return isCatalogFailure(error.cause);
}
