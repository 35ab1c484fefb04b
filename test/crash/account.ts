// Crash test account: starts executions of a tenant, and checks that all complete and each effect happened once. Every
// request is repeated, because the engine may be down.
import {
  batchInPart,
  batchStarted,
  clientWith,
  createdKey,
  effects,
  execution,
  page,
  started,
  type Client,
  type Seen,
} from "./client.ts";
import { effectOf, type Order } from "./fleet.ts";
import { repeatUntilAnswered, waitUntil } from "./patience.ts";

const BATCH = 20;

export type Account = {
  readonly tenant: Client;
  /** Starts half of the orders one by one and half in batches. An unanswered start is repeated under its key. */
  readonly startAll: (orders: readonly Order[]) => Promise<Map<string, string>>;
  readonly countEffects: () => Promise<number>;
  readonly everyOneCompletes: (ids: readonly string[]) => Promise<void>;
  /** Checks that each effect reached the sandbox under one key only. Returns how many calls were repeats. */
  readonly everyEffectHappenedOnce: (expected: readonly string[]) => Promise<number>;
  /**
   * Waits until the lists equal the executions. No execution is woken for this, because objects resend the rows that
   * are not listed.
   */
  readonly listsAgree: (ids: readonly string[]) => Promise<void>;
};

type Urls = { readonly engineUrl: string; readonly sandboxUrl: string };

/** Creates the tenant and its key. */
export async function openAccount(
  { engineUrl, sandboxUrl }: Urls,
  rootKey: string,
  name: string = "crash",
): Promise<Account> {
  const sandbox = clientWith({});
  const tenant = await newTenant(engineUrl, rootKey, name);
  const get = (path: string): Promise<unknown> =>
    repeatUntilAnswered(() => tenant.requestJson("GET", `${engineUrl}/v1/${path}`));

  const startOne = async ({ kind, key }: Order): Promise<string> => {
    const headers = { "Idempotency-Key": key };
    const body = { definition: kind.name };
    const answer = await repeatUntilAnswered(() =>
      tenant.requestJson("POST", `${engineUrl}/v1/executions`, body, headers),
    );
    return started.parse(answer).execution.id;
  };
  const startSome = async (some: readonly Order[]): Promise<readonly string[]> => {
    const body = { executions: some.map(({ kind, key }) => ({ definition: kind.name, idempotencyKey: key })) };
    // A batch answer with an "unavailable" result is repeated.
    const answer = await repeatUntilAnswered(async () => {
      const some = await tenant.requestJson("POST", `${engineUrl}/v1/executions/batch`, body);
      return some !== null && !batchInPart.safeParse(some).success ? some : null;
    });
    return batchStarted.parse(answer).results.map(({ id }) => id);
  };

  const readAll = async (ids: readonly string[]): Promise<Seen[]> => {
    const found: Seen[] = [];
    for (const some of parts(ids)) {
      const answers = await Promise.all(some.map((id) => get(`executions/${id}`)));
      found.push(...answers.map((answer) => execution.parse(answer)));
    }
    return found;
  };

  const unlisted = async (objects: readonly Seen[]): Promise<Seen[]> => {
    const listed = new Map<string, string>();
    for (let cursor: string | null = ""; cursor !== null;) {
      const after: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { data, nextCursor } = page.parse(await get(`executions?limit=200${after}`));
      for (const row of data) {
        if (listed.has(row.id)) throw new Error(`${row.id} is listed twice`);
        listed.set(row.id, JSON.stringify(row));
      }
      cursor = nextCursor;
    }
    return objects.filter((object) => listed.get(object.id) !== JSON.stringify(object));
  };

  return {
    tenant,
    startAll: async (orders) => {
      const ids = new Map<string, string>();
      const half = Math.ceil(orders.length / 2);
      for (const order of orders.slice(0, half)) ids.set(order.key, await startOne(order));
      for (const some of parts(orders.slice(half))) {
        const answers = await startSome(some);
        for (const [n, { key }] of some.entries()) ids.set(key, answers[n] ?? "");
      }
      return ids;
    },
    countEffects: async () => {
      const found = await sandbox.requestJson("GET", `${sandboxUrl}/_control/effects?limit=1`);
      return effects.parse(found ?? { total: 0, effects: [] }).total;
    },
    everyOneCompletes: async (ids) => {
      let open: readonly string[] = ids;
      await waitUntil(
        () => `${open.length} executions to complete, such as ${open.slice(0, 3).join(", ")}`,
        async () => {
          const found = await readAll(open);
          const wrong = found.find(({ status }) => status === "failed" || status === "canceled");
          if (wrong) throw new Error(`${wrong.id} is ${wrong.status}`);
          open = found.filter(({ status }) => status !== "completed").map(({ id }) => id);
          return open.length === 0;
        },
      );
    },
    everyEffectHappenedOnce: async (expected) => {
      const answer = await sandbox.requestJson("GET", `${sandboxUrl}/_control/effects?limit=50000`);
      return countRepeats(effects.parse(answer).effects, expected);
    },
    listsAgree: async (ids) => {
      const objects = await readAll(ids);
      let stale: readonly Seen[] = objects;
      await waitUntil(
        () => `lists to agree on ${stale.length} executions, such as ${stale[0]?.id}`,
        async () => {
          stale = await unlisted(objects);
          return stale.length === 0;
        },
      );
    },
  };
}

async function newTenant(engineUrl: string, rootKey: string, name: string): Promise<Client> {
  const root = clientWith({ Authorization: `Bearer ${rootKey}` });
  await root.requestJson("POST", `${engineUrl}/v1/tenants`, { id: name, name });
  // The account reads no payloads, and the engine of the recorded release does not know the scope `payloads`.
  const body = { name, scopes: ["read", "write", "tasks", "operate", "admin"] };
  const { secret } = createdKey.parse(
    await root.requestJson("POST", `${engineUrl}/v1/keys`, body, { "X-Tenant": name }),
  );
  return clientWith({ Authorization: `Bearer ${secret}` });
}

/** Lists the effects of all actions of the orders. */
export function effectsOf(orders: readonly Order[], ids: ReadonlyMap<string, string>): readonly string[] {
  return orders.flatMap(({ kind, key }) => kind.actions.map((action) => effectOf(ids.get(key) ?? "", action)));
}

type Effect = { readonly effect: string; readonly requests: number; readonly keys: string[]; readonly keyless: number };

function countRepeats(found: readonly Effect[], expected: readonly string[]): number {
  const seen = new Set(found.map(({ effect }) => effect));
  const missing = expected.filter((effect) => !seen.has(effect));
  if (missing.length > 0) throw new Error(`${missing.length} effects never happened, such as ${missing[0]}`);
  const wanted = new Set(expected);
  const strange = found.filter(({ effect }) => !wanted.has(effect));
  if (strange.length > 0) throw new Error(`${strange.length} effects nobody asked for, such as ${strange[0]?.effect}`);
  const doubled = found.filter(({ keys, keyless }) => keys.length !== 1 || keyless > 0);
  if (doubled.length > 0)
    throw new Error(`${doubled.length} effects under several keys, such as ${JSON.stringify(doubled[0])}`);
  return found.reduce((sum, { requests }) => sum + requests - 1, 0);
}

function parts<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / BATCH) }, (_, n) => all.slice(n * BATCH, (n + 1) * BATCH));
}
