// SQL statement count: finds the ends of strings, quoted names and comments, and counts the statements between
// semicolons.

/** Strings, quoted names and comments, whose content is ignored. An unclosed one extends to the end, as in SQLite. */
const OPAQUE =
  /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

export function statementsIn(sql: string): number {
  const plain = sql.replace(OPAQUE, (part) => (part.startsWith("--") || part.startsWith("/*") ? " " : "x"));
  return plain.split(";").filter((statement) => statement.trim() !== "").length;
}
