// Row writes: one at a time, or several together. A single row is atomic without a savepoint. Several rows need a
// savepoint, which costs two more statements and a copy of each changed page.

export type Writing = {
  readonly write: (query: string, ...bindings: readonly SqlStorageValue[]) => void;
  /** Writes everything in `work`, or nothing. */
  readonly atomically: (work: () => void) => void;
  /**
   * Like `atomically`, but writes after `work` has ended. `work` must not read what it writes, or create a table and
   * then query it.
   */
  readonly atomicallyAtEnd: (work: () => void) => void;
};

type Statement = { readonly query: string; readonly bindings: readonly SqlStorageValue[] };

export function openWriting(storage: Pick<DurableObjectStorage, "sql" | "transactionSync">): Writing {
  const { sql } = storage;
  /** Statements of the current `atomicallyAtEnd`; null outside of it. */
  let buffered: Statement[] | null = null;

  const statementsOf = (work: () => void): readonly Statement[] => {
    const statements: Statement[] = [];
    buffered = statements;
    try {
      work();
    } finally {
      buffered = null;
    }
    return statements;
  };
  const run = (statements: readonly Statement[]): void => {
    for (const { query, bindings } of statements) sql.exec(query, ...bindings);
  };

  return {
    write: (query, ...bindings) => {
      if (buffered) buffered.push({ query, bindings });
      else sql.exec(query, ...bindings);
    },
    atomically: (work) => storage.transactionSync(work),
    atomicallyAtEnd: (work) => {
      const statements = statementsOf(work);
      if (statements.length > 1) storage.transactionSync(() => run(statements));
      else run(statements);
    },
  };
}
