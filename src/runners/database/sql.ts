// SQL statement count: counts the statements between semicolons. Semicolons in strings, quoted names and comments do
// not count.

/**
 * Matches strings, quoted names and comments, whose content is ignored. If one is not closed, it extends to the end, as
 * in SQLite.
 */
const QUOTED_OR_COMMENT =
  /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

export function countStatements(sql: string): number {
  const plain = sql.replace(QUOTED_OR_COMMENT, (part) => (part.startsWith("--") || part.startsWith("/*") ? " " : "x"));
  return plain.split(";").filter((statement) => statement.trim() !== "").length;
}
