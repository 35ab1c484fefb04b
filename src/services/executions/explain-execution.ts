// Execution explanation: says why an execution is in its state. It calls the execution's object once, and reads the
// connections that hold its runs and the subjects whose caps its runs must still pass. If the object was deleted, it explains the catalog's row.
import { addSentences } from "#policy/advice/explanation/sentences.ts";
import { explainRetired } from "#policy/advice/explanation/retired.ts";
import { matchConnection, requestedConnection } from "#policy/forecast/requested-connection.ts";
import type { Explanation, SummarizedExplanation, Wait } from "#schema/engine/explanation.ts";
import type { PendingLimit } from "#schema/explanation/pending-limits.ts";
import type { CapUse } from "#schema/subject/cap.ts";
import { EXPLAINED_CONNECTIONS_MAX, EXPLAINED_SUBJECTS_MAX } from "#schema/limits/planning/explanation-sizes.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { cellName } from "../cells/ids-and-cells.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import { hasLimits, termsOf } from "../connections/connection-terms.ts";
import { getConnection, type ConnectionInUse } from "../connections/connections.ts";
import { findConnection } from "../connections/find-connection.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { tenantSettingsOf as tenantTermsOf } from "../quotas/tenant-settings.ts";
import { subjectName } from "../subjects/admit-starts.ts";
import { historyGone, retiredRow } from "./executions.ts";

export type ExplainedExecution = { readonly explanation: SummarizedExplanation; readonly retired: boolean };

export async function explainExecution(
  deps: Deps,
  caller: TenantCaller,
  { execution }: { readonly execution: string },
): Promise<Result<ExplainedExecution>> {
  const { suspended } = await tenantTermsOf(deps, caller.tenant);
  const query = { execution, suspended: suspended !== null };
  const answer = await callWithRetry(() => deps.cell(cellName(caller.tenant, execution)).explain(query));
  const read = answer.ok ? answer.value : answer;
  if (read.ok) {
    const withConnections = await withGates(deps, caller, read.value);
    const explanation = addSentences(await withSlots(deps, caller, withConnections));
    return accept({ explanation, retired: false });
  }
  if (read.refusal.code !== "not_found") return read;
  const row = await retiredRow(deps, caller.tenant, execution);
  if (row === null) return read;
  return row.erasedAt
    ? refuse(historyGone(row))
    : accept({ explanation: addSentences(explainRetired(row, deps.now())), retired: true });
}

/**
 * Adds the current state of each named connection to the waits. The recorded reason of a hold may be out of date, and
 * only the connection knows which of its limits a run must still pass.
 */
async function withGates(deps: Deps, caller: TenantCaller, explanation: Explanation): Promise<Explanation> {
  const found = new Map<string, ConnectionInUse | null>();
  for (const account of explanation.waits.map(accountIn)) {
    if (account === null || found.has(keyOf(account)) || found.size >= EXPLAINED_CONNECTIONS_MAX) continue;
    found.set(keyOf(account), null);
  }
  const find = async (key: string): Promise<unknown> =>
    found.set(key, await findAccountOrNull(deps, caller, accountOf(key)));
  await Promise.all([...found.keys()].map(find));
  const waits = explanation.waits.map((wait): Wait => {
    const account = accountIn(wait);
    const connection = account === null ? null : (found.get(keyOf(account)) ?? null);
    if (wait.for === "connection") return connection?.state ? { ...wait, gate: connection.state } : wait;
    if (!("account" in wait)) return wait;
    const { account: _account, meets = [], ...withoutAccount } = wait;
    return { ...withoutAccount, meets: connection === null ? meets : [...meets, ...limitsOfConnection(connection)] };
  });
  return { ...explanation, waits };
}

/** Adds to each cap in the waits when a slot will be free, as the subject's object computes it for runs. */
async function withSlots(deps: Deps, { tenant }: TenantCaller, explanation: Explanation): Promise<Explanation> {
  const subjects = new Set(explanation.waits.flatMap(meetsOf).flatMap((each) => subjectIn(each) ?? []));
  if (subjects.size === 0) return explanation;
  const read = async (key: string) => [key, await capsOrNull(deps, tenant, key)] as const;
  const uses = new Map(await Promise.all([...subjects].slice(0, EXPLAINED_SUBJECTS_MAX).map(read)));
  const waits = explanation.waits.map((wait): Wait => {
    if (!("meets" in wait) || wait.meets === undefined) return wait;
    return { ...wait, meets: wait.meets.map((each) => withSlot(each, uses)) };
  });
  return { ...explanation, waits };
}

function meetsOf(wait: Wait): readonly PendingLimit[] {
  return "meets" in wait ? (wait.meets ?? []) : [];
}

function subjectIn(pending: PendingLimit): string | null {
  return pending.limit === "cap" ? pending.subject : null;
}

function withSlot(pending: PendingLimit, uses: ReadonlyMap<string, readonly CapUse[] | null>): PendingLimit {
  if (pending.limit !== "cap" || pending.subject === null) return pending;
  // Another definition may have set another maximum for the cap. The stored use is then not about this run's limit.
  const use = uses.get(pending.subject)?.find(({ cap, max }) => cap === pending.cap && max === pending.max);
  return { ...pending, opensAt: use?.opensAt ?? null };
}

/** Returns the used caps of a subject; null if its object does not answer. */
async function capsOrNull(deps: Deps, tenant: string, key: string): Promise<readonly CapUse[] | null> {
  const view = await callWithRetry(() => deps.subject(subjectName(tenant, key)).read(), "subject");
  return view.ok ? view.value.caps : null;
}

/** The connection in a wait. If a connection holds the run, `name` is set and `provider` is null. */
type AccountRef = { readonly name: string | null; readonly provider: string | null };

function accountIn(wait: Wait): AccountRef | null {
  if (wait.for === "connection") return wait.connection === null ? null : { name: wait.connection, provider: null };
  const account = "account" in wait ? wait.account : undefined;
  return account === undefined ? null : requestedConnection(account.type, account.config);
}

function keyOf({ name, provider }: AccountRef): string {
  return JSON.stringify([name, provider]);
}

function accountOf(key: string): AccountRef {
  const [name, provider] = JSON.parse(key) as readonly [string | null, string | null]; // keyOf wrote this pair as JSON.
  return { name, provider };
}

async function findAccount(
  deps: Deps,
  caller: TenantCaller,
  { name, provider }: AccountRef,
): Promise<ConnectionInUse | null> {
  const ref = name ?? (await onlyConnectionOf(deps, caller, String(provider)));
  const found = ref === null ? null : await getConnection(deps, caller, { ref });
  if (found?.ok !== true) return null;
  return provider === null ? found.value : matchConnection([found.value], { name, provider });
}

async function onlyConnectionOf(deps: Deps, caller: TenantCaller, provider: string): Promise<string | null> {
  const found = await findConnection(deps, caller.tenant, null, provider);
  return found.ok ? found.row.name : null;
}

/** Returns the connection's limits for a wait. Returns an empty list if the connection has none. */
function limitsOfConnection({ name, settings, state }: ConnectionInUse): readonly PendingLimit[] {
  const { rateLimit, concurrency, breaker } = settings;
  if (!hasLimits(termsOf(settings)) && !state?.attention) return [];
  return [
    {
      limit: "connection",
      connection: name,
      gate: state,
      ...(rateLimit === undefined ? {} : { rateLimit }),
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(breaker === undefined ? {} : { breaker }),
    },
  ];
}

/**
 * Returns the connection. Returns null if it was deleted or the catalog does not answer; the explanation is then
 * returned without it.
 */
async function findAccountOrNull(
  deps: Deps,
  caller: TenantCaller,
  account: AccountRef,
): Promise<ConnectionInUse | null> {
  try {
    return await findAccount(deps, caller, account);
  } catch (cause) {
    deps.log({ level: "warn", message: "a connection could not be looked up", ...account, error: String(cause) });
    return null;
  }
}
