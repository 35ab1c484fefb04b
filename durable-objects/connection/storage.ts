// Connection storage: the gate's state, the token, the account's status, and the outage in progress. The first write
// creates the table, so that reading an unused connection leaves nothing behind.
import type { CredentialRejection } from "#policy/gates/rejected-credentials.ts";
import { noAutoRetry, type AutoRetry } from "#policy/gates/auto-retry.ts";
import type { HeldToken } from "#policy/gates/token.ts";
import type { GateState } from "#policy/gates/connection.ts";

const GATE = 1;
const TOKEN = 2;
const ATTENTION = 3;
const HEALING = 4;

/** `told`: since when the catalog shows that it needs an operator; null: the catalog shows no problem. */
export type KeptAttention = { readonly trouble: CredentialRejection | null; readonly told: number | null };

export type GateStorage = {
  readonly readGate: () => GateState | null;
  /** Writes only changes; null: there is nothing to store. */
  readonly keepGate: (state: GateState | null) => void;
  readonly readToken: () => HeldToken | null;
  readonly keepToken: (token: HeldToken) => void;
  readonly readAttention: () => KeptAttention;
  readonly keepAttention: (attention: KeptAttention) => void;
  readonly readHealing: () => AutoRetry;
  readonly keepHealing: (healing: AutoRetry) => void;
  readonly reset: () => Promise<void>;
};

export function gateStorage(storage: DurableObjectStorage): GateStorage {
  const { sql } = storage;
  let ready = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'rows'").toArray().length > 0;
  const read = (id: number): string | null => {
    if (!ready) return null;
    return sql.exec<{ body: string }>("SELECT body FROM rows WHERE id = ?", id).toArray()[0]?.body ?? null;
  };
  let gate = read(GATE);
  const write = (id: number, body: string | null): void => {
    if (!ready) sql.exec("CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT NOT NULL)");
    ready = true;
    if (body === null) sql.exec("DELETE FROM rows WHERE id = ?", id);
    else sql.exec("INSERT INTO rows VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body", id, body);
  };
  return {
    readGate: () => (gate === null ? null : (JSON.parse(gate) as GateState)), // written by keepGate
    keepGate: (state) => {
      const body = state === null ? null : JSON.stringify(state);
      if (body === gate) return;
      write(GATE, body);
      gate = body;
    },
    readToken: () => {
      const token = read(TOKEN);
      return token === null ? null : (JSON.parse(token) as HeldToken); // written by keepToken
    },
    keepToken: (token) => write(TOKEN, JSON.stringify(token)),
    readAttention: () => {
      const attention = read(ATTENTION);
      return attention === null ? { trouble: null, told: null } : (JSON.parse(attention) as KeptAttention); // as written below
    },
    keepAttention: ({ trouble, told }) => {
      const isNothing = trouble === null && told === null;
      write(ATTENTION, isNothing ? null : JSON.stringify({ trouble: trouble && { ...trouble, waiting: 0 }, told }));
    },
    readHealing: () => {
      const healing = read(HEALING);
      return healing === null ? noAutoRetry : { ...noAutoRetry, ...(JSON.parse(healing) as Partial<AutoRetry>) }; // as written below
    },
    keepHealing: (healing) => write(HEALING, JSON.stringify(healing)),
    reset: async () => {
      gate = null;
      if (ready) await storage.deleteAll();
      ready = false;
    },
  };
}
