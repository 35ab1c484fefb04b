// Version storage: stores content as the next version of its name. Content that is already stored makes no new version;
// for definitions, definitions/same-definition.ts decides this.
import type { InsertExtras, InsertResult } from "#catalog/quotas.ts";
import { findByName, insertVersion, latestVersion, type VersionRow } from "#catalog/versioned.ts";
import { VERSION_TRIES_MAX } from "#schema/limits/definition-sizes.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { sha256 } from "../hash.ts";
import { isFull, quotaFull, warnWhenNear } from "../quotas/stored-quota.ts";
import { auditRow } from "../audit/audit.ts";
import type { VersionedNoun } from "./versioned-noun.ts";

export type VersionContent<Row extends VersionRow> = {
  readonly name: string;
  readonly body: string;
  /**
   * Adds the noun's own columns to the row, and further statements to the batch. `current` is the version that the name
   * resolved to before; null if this version is the first.
   */
  readonly complete: (row: VersionRow, current: Row | null) => Promise<CompleteVersion<Row>>;
  /**
   * Finds the stored version that has the same content. Default: the version that the name resolves to, if its content
   * is the same.
   */
  readonly same?: (current: Row | null, content: Pick<VersionRow, "tenant" | "name" | "hash">) => Promise<Row | null>;
  /** Decides whether the content may be stored, given the version that the name resolves to now. Default: always. */
  readonly admit?: (current: Row | null) => Refusal | null;
  /** The verb of the audit entry. Default: `create`. */
  readonly verb?: string;
  /** Builds the answer to the request that stores this row. It is stored for repeats of the request. */
  readonly answerOf: (row: Row) => unknown;
  readonly dryRun: boolean;
};
export type CompleteVersion<Row> = { readonly row: Row; readonly alongside?: InsertExtras };
export type StoredVersion<Row extends VersionRow> = { readonly row: Row; readonly created: boolean };

export async function storeVersion<Row extends VersionRow, Key>(
  deps: Deps,
  caller: TenantCaller,
  noun: VersionedNoun<Row, Key>,
  { name, body, complete, same = sameAsCurrent, admit = () => null, verb, answerOf, dryRun }: VersionContent<Row>,
): Promise<Result<StoredVersion<Row>>> {
  const content = { tenant: caller.tenant, name, body, hash: await sha256(body) };
  for (let tries = 0; tries < VERSION_TRIES_MAX; tries++) {
    const current = await findByName(deps.db, noun.versions, caller.tenant, name);
    const refusal = admit(current);
    if (refusal !== null) return refuse(refusal);
    const existing = await same(current, content);
    if (existing !== null) return accept({ row: existing, created: false });
    const latest = current === null ? 0 : await latestVersion(deps.db, noun.versions, caller.tenant, name);
    const newRow = { ...content, version: 1 + latest, createdAt: deps.now(), archivedAt: null };
    const { row, alongside } = await complete(newRow, current);
    if (dryRun) return accept({ row, created: true });
    deps.answerWith?.(answerOf(row));
    const inserted = await insert(deps, caller, noun, row, { verb, alongside });
    if (inserted.isMade) return accept({ row, created: true });
    if (isFull(inserted)) return refuse(quotaFull(noun.versions.quota, inserted));
    // A concurrent request used this version number or published a version, so the loop tries again.
  }
  return refuse({ code: "unavailable", message: `Too many requests create versions of "${name}" at the same time.` });
}

async function sameAsCurrent<Row extends VersionRow>(
  current: Row | null,
  { hash }: Pick<VersionRow, "hash">,
): Promise<Row | null> {
  return current?.hash === hash && current.archivedAt === null ? current : null;
}

async function insert<Row extends VersionRow, Key>(
  deps: Deps,
  caller: TenantCaller,
  { word, versions, cache: learn }: VersionedNoun<Row, Key>,
  row: Row,
  { verb = "create", alongside }: { readonly verb?: string | undefined; readonly alongside?: InsertExtras | undefined },
): Promise<InsertResult> {
  const audit = auditRow(deps, caller, `${word}.${verb}`, `${row.name}@${row.version}`);
  const inserted = await insertVersion(deps.db, versions, row, audit, alongside);
  if (!inserted.isMade) return inserted;
  learn(row, deps.now());
  warnWhenNear(deps, caller.tenant, versions.quota, inserted);
  return inserted;
}
