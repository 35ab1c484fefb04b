// SQL statement count: finds the ends of strings, quoted names and comments, and counts the statements between
// semicolons.

/** Strings, quoted names and comments, whose content is ignored. An unclosed one extends to the end, as in SQLite. */
const QUOTED_OR_COMMENT =
  /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

export function countStatements(sql: string): number {
  const plain = sql.replace(QUOTED_OR_COMMENT, (part) => (part.startsWith("--") || part.startsWith("/*") ? " " : "x"));
  return plain.split(";").filter((statement) => statement.trim() !== "").length;
}
