// Row writes: single or all together. One row is atomic without a savepoint. Several need one, which is two more
// statements to compile and a copy of each changed page.

export type Writing = {
  readonly write: (query: string, ...bindings: readonly SqlStorageValue[]) => void;
  /** All of `work` or none of it. */
  readonly atomically: (work: () => void) => void;
  /** The same, but written after `work`, and not visible in it: it must not create a table and then query it. */
  readonly atOnce: (work: () => void) => void;
};

type Statement = { readonly query: string; readonly bindings: readonly SqlStorageValue[] };

export function openWriting(storage: Pick<DurableObjectStorage, "sql" | "transactionSync">): Writing {
  const { sql } = storage;
  let held: Statement[] | null = null;

  const hold = (work: () => void): readonly Statement[] => {
    const all: Statement[] = [];
    held = all;
    try {
      work();
    } finally {
      held = null;
    }
    return all;
  };
  const run = (statements: readonly Statement[]): void => {
    for (const { query, bindings } of statements) sql.exec(query, ...bindings);
  };

  return {
    write: (query, ...bindings) => {
      if (held) held.push({ query, bindings });
      else sql.exec(query, ...bindings);
    },
    atomically: (work) => storage.transactionSync(work),
    atOnce: (work) => {
      const statements = hold(work);
      if (statements.length > 1) storage.transactionSync(() => run(statements));
      else run(statements);
    },
  };
}
