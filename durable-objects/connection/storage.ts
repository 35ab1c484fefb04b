// Connection rows: the state of the limits and the breaker, the access token, the account's trouble, and the
// auto-retry. The first write creates the table, so that a read of an unused connection leaves no storage behind.
import type { CredentialRejection } from "#policy/gates/rejected-credentials.ts";
import { noAutoRetry, type AutoRetry } from "#policy/gates/auto-retry.ts";
import type { HeldToken } from "#policy/gates/token.ts";
import type { GateState } from "#policy/gates/connection.ts";

/** The ids of the rows. */
const GATE = 1;
const TOKEN = 2;
const ATTENTION = 3;
const AUTO_RETRY = 4;

/**
 * `trouble`: why the provider rejects the account; null if the provider accepts it. `told`: when the rejection that the
 * catalog shows began, epoch ms; null if the catalog shows none.
 */
export type StoredAttention = { readonly trouble: CredentialRejection | null; readonly told: number | null };

export const noAttention: StoredAttention = { trouble: null, told: null };

export type GateStorage = {
  readonly readGate: () => GateState | null;
  /** Writes the state if it has changed. null deletes the row. */
  readonly writeGate: (state: GateState | null) => void;
  readonly readToken: () => HeldToken | null;
  readonly writeToken: (token: HeldToken) => void;
  readonly readAttention: () => StoredAttention;
  readonly writeAttention: (attention: StoredAttention) => void;
  readonly readAutoRetry: () => AutoRetry;
  readonly writeAutoRetry: (autoRetry: AutoRetry) => void;
  /** Deletes all rows and the alarm. */
  readonly reset: () => Promise<void>;
};

export function gateStorage(storage: DurableObjectStorage): GateStorage {
  const { sql } = storage;
  let isReady = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'rows'").toArray().length > 0;
  const read = (id: number): string | null => {
    if (!isReady) return null;
    return sql.exec<{ body: string }>("SELECT body FROM rows WHERE id = ?", id).toArray()[0]?.body ?? null;
  };
  let gate = read(GATE);
  const write = (id: number, body: string | null): void => {
    if (!isReady) sql.exec("CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT NOT NULL)");
    isReady = true;
    if (body === null) sql.exec("DELETE FROM rows WHERE id = ?", id);
    else sql.exec("INSERT INTO rows VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body", id, body);
  };
  return {
    readGate: () => (gate === null ? null : (JSON.parse(gate) as GateState)), // `writeGate` wrote this JSON
    writeGate: (state) => {
      const body = state === null ? null : JSON.stringify(state);
      if (body === gate) return;
      write(GATE, body);
      gate = body;
    },
    readToken: () => {
      const body = read(TOKEN);
      return body === null ? null : (JSON.parse(body) as HeldToken); // `writeToken` wrote this JSON
    },
    writeToken: (token) => write(TOKEN, JSON.stringify(token)),
    readAttention: () => {
      const body = read(ATTENTION);
      return body === null ? noAttention : (JSON.parse(body) as StoredAttention); // `writeAttention` wrote this JSON
    },
    writeAttention: ({ trouble, told }) => {
      const isEmpty = trouble === null && told === null;
      write(ATTENTION, isEmpty ? null : JSON.stringify({ trouble: trouble && { ...trouble, waiting: 0 }, told }));
    },
    readAutoRetry: () => {
      const body = read(AUTO_RETRY);
      return body === null ? noAutoRetry : { ...noAutoRetry, ...(JSON.parse(body) as Partial<AutoRetry>) }; // `writeAutoRetry` wrote this JSON
    },
    writeAutoRetry: (autoRetry) => write(AUTO_RETRY, JSON.stringify(autoRetry)),
    reset: async () => {
      gate = null;
      if (isReady) await storage.deleteAll();
      isReady = false;
    },
  };
}
