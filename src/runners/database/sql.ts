// SQL statement count: parses just enough SQL to find where texts, quoted names and comments begin and end.

/** Each alternative is a token whose content is ignored. Unclosed ones run to the end, as in SQLite. */
const OPAQUE =
  /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

export function statementsIn(sql: string): number {
  const plain = sql.replace(OPAQUE, (part) => (part.startsWith("--") || part.startsWith("/*") ? " " : "x"));
  return plain.split(";").filter((statement) => statement.trim() !== "").length;
}
