// Whether a migration only adds. While it runs, and until the deploy after it has spread, code one version older works on
// the tables: what it writes must still be taken, what it reads must still be there.

/** What is wrong with a migration's SQL, statement by statement; empty where it only adds. */
export function takenAway(sql: string): readonly string[] {
  const statements = statementsOf(sql);
  const made = new Set(statements.flatMap((each) => /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/i.exec(each)?.[1] ?? []));
  const indexed = new Set(
    statements.flatMap((each) => /^CREATE INDEX (?:IF NOT EXISTS )?(\w+)/i.exec(each)?.[1] ?? []),
  );
  return statements.flatMap((each) => {
    const why = wrongWith(each, made, indexed);
    return why === null ? [] : [`${each}: ${why}`];
  });
}

function wrongWith(statement: string, made: ReadonlySet<string>, indexed: ReadonlySet<string>): string | null {
  if (/^CREATE TABLE /i.test(statement) || /^CREATE INDEX /i.test(statement)) return null;
  const unique = /^CREATE UNIQUE INDEX \w+ ON (\w+)/i.exec(statement);
  if (unique !== null) return made.has(unique[1] ?? "") ? null : "older code may write what is not unique";
  const column = /^ALTER TABLE \w+ ADD (?:COLUMN )?(.*)$/i.exec(statement);
  if (column !== null) return columnsFault(column[1] ?? "");
  const dropped = /^DROP INDEX (?:IF EXISTS )?(\w+)$/i.exec(statement);
  if (dropped !== null)
    return indexed.has(dropped[1] ?? "") ? null : "an index is made anew in the same migration or stays";
  return "only CREATE TABLE, CREATE INDEX and ALTER TABLE … ADD COLUMN add";
}

function columnsFault(column: string): string | null {
  if (/\b(UNIQUE|CHECK|REFERENCES|PRIMARY KEY)\b/i.test(column)) return "older code knows nothing of such a rule";
  const isRequired = /\bNOT NULL\b/i.test(column) && !/\bDEFAULT\b/i.test(column);
  return isRequired ? "older code leaves it out: it needs a default, or may be null" : null;
}

function statementsOf(sql: string): readonly string[] {
  return sql
    .replaceAll(/--.*$/gm, "")
    .split(";")
    .map((each) => each.replaceAll(/\s+/g, " ").trim())
    .filter((each) => each !== "");
}
