// Suppression lookup: finds which recipients of an attempt are suppressed. No answer is cached, so that an address that
// has just bounced gets no further message. Attempts of one invocation share queries.
import { findSuppressed, type SuppressionKey } from "#catalog/suppressions/suppressed-addresses.ts";
import { blockingReason } from "#policy/suppressions/blocking-reason.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import { SUPPRESSION_LOOKUP_KEYS_MAX, SUPPRESSION_LOOKUP_MS } from "#schema/limits/outgoing/suppression-sizes.ts";
import type { ReasonSources } from "#schema/outgoing/suppression.ts";
import type { SuppressionLookup } from "#schema/outgoing/suppression-lookup.ts";
import { catalogOutage } from "../catalog-outage.ts";
import type { Deps } from "../deps.ts";
import { withTimeLimit } from "../time-limit.ts";
import { addressKey } from "./address-key.ts";

type LookupDeps = Pick<Deps, "db" | "log">;
type Found = ReadonlyMap<string, ReasonSources>;
type FindReasons = (keys: readonly SuppressionKey[]) => Promise<Found>;

/**
 * Opens the lookup of one invocation, and returns it for a tenant. Lookups that begin while a query is in progress
 * share the next query. Requests of other invocations are never joined, because the platform forbids it.
 */
export function openSuppressionLookup(deps: LookupDeps): (tenant: string) => SuppressionLookup {
  const find = sharedQueries(deps);
  return (tenant) =>
    async ({ channel, addresses, isHeeding }) => {
      const keys = await Promise.all(addresses.map((address) => addressKey(channel, address)));
      const asked = [...new Set(keys.filter((key) => key !== null))];
      try {
        const found = await find(asked.map((address) => ({ tenant, channel, address })));
        const isSuppressed = (key: string | null | undefined) =>
          key != null && blockingReason(found.get(textOf({ tenant, channel, address: key })) ?? {}, isHeeding) !== null;
        return { ok: true, suppressed: addresses.filter((_, at) => isSuppressed(keys[at])) };
      } catch (cause) {
        deps.log({ level: "warn", event: "suppressions_unknown", tenant, message: String(cause) });
        return { ok: false, failure: { error: unknown(cause) } };
      }
    };
}

function unknown(cause: unknown): ActionError {
  return catalogOutage(cause, "the catalog does not answer, so the engine cannot check the suppression list");
}

type Waiting = {
  readonly keys: readonly SuppressionKey[];
  readonly resolve: (found: Found) => void;
  readonly reject: (cause: unknown) => void;
};

function sharedQueries({ db }: LookupDeps): FindReasons {
  let waiting: Waiting[] = [];
  let isReading = false;
  const read = async (): Promise<void> => {
    isReading = true;
    // Other attempts of the invocation that are at the same point join the first query.
    await Promise.resolve();
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      const found = findAll(
        db,
        group.flatMap(({ keys }) => keys),
      );
      await found.then(
        (all) => group.forEach(({ resolve }) => resolve(all)),
        (cause: unknown) => group.forEach(({ reject }) => reject(cause)),
      );
    }
    isReading = false;
  };
  return (keys) =>
    new Promise((resolve, reject) => {
      if (keys.length === 0) return resolve(new Map());
      waiting.push({ keys, resolve, reject });
      if (!isReading) void read();
    });
}

async function findAll(db: Deps["db"], keys: readonly SuppressionKey[]): Promise<Found> {
  const found = new Map<string, ReasonSources>();
  for (let from = 0; from < keys.length; from += SUPPRESSION_LOOKUP_KEYS_MAX) {
    const query = findSuppressed(db, keys.slice(from, from + SUPPRESSION_LOOKUP_KEYS_MAX));
    for (const row of await withTimeLimit(SUPPRESSION_LOOKUP_MS, query)) found.set(textOf(row), row.reasons);
  }
  return found;
}

function textOf({ tenant, channel, address }: SuppressionKey): string {
  return `${tenant}\n${channel}\n${address}`;
}
