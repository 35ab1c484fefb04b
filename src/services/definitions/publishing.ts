// Makes a stored version the one that its name means, if nobody else was quicker.
import type { StoredDefinition } from "#catalog/definitions.ts";
import { listPlaces, type Place } from "#catalog/publications/meant.ts";
import { lastNumber, publishVersion, type Publication } from "#catalog/publications/publications.ts";
import { placeOnTop } from "#policy/versions/take-back.ts";
import { PUBLISH_TRIES_MAX } from "#schema/limits/publications.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/record-audit.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { learnDefinition } from "./find-definition.ts";

export type ToPublish = {
  readonly row: StoredDefinition;
  readonly reason: string | null;
  /** The number of the last publication, as the caller saw it; null: whatever it is. */
  readonly ifPublication: number | null;
  readonly dryRun: boolean;
};

export type Meant = {
  readonly definition: StoredDefinition;
  readonly changed: boolean;
  /** The version that its name meant until then. */
  readonly was: number | null;
  /** The number of the publication that made it so. */
  readonly publication: number;
};

export async function makeMeant(
  deps: Deps,
  caller: TenantCaller,
  { row, reason, ifPublication, dryRun }: ToPublish,
  answerOf: (meant: Meant) => unknown,
): Promise<Result<Meant>> {
  for (let tries = 0; tries < PUBLISH_TRIES_MAX; tries++) {
    const { number, pile } = await pileOf(deps, row, 1);
    const [top] = pile;
    if (ifPublication !== null && ifPublication !== number) return refuse(mismatch(row.name, ifPublication, number));
    const was = top?.version ?? null;
    if (was === row.version) return accept({ definition: row, changed: false, was, publication: number });
    const place = { version: row.version, at: placeOnTop(deps.now(), top) };
    const definition = { ...row, publishedAt: place.at, withheld: null, isMeant: true };
    const meant = { definition, changed: true, was, publication: number + 1 };
    if (dryRun) return accept(meant);
    const audit = auditRow(deps, caller, "definition.publish", `${row.name}@${row.version}`, reason);
    const told = publicationOf(audit, row.name, { number: number + 1, verb: "published", version: row.version, was });
    deps.answerWith?.(answerOf(meant));
    if (!(await publishVersion(deps.db, told, place, audit))) continue;
    learnDefinition(definition, deps.now());
    return accept(meant);
  }
  return refuse(busy(row.name));
}

/** What lies on top, and the number that says whether somebody else was quicker; that one is read first. */
export async function pileOf(
  { db }: Pick<Deps, "db">,
  { tenant, name }: Pick<StoredDefinition, "tenant" | "name">,
  limit: number,
): Promise<{ readonly number: number; readonly pile: readonly Place[] }> {
  const number = await lastNumber(db, tenant, name);
  return { number, pile: await listPlaces(db, tenant, name, limit) };
}

type Told = Pick<Publication, "number" | "verb" | "version" | "was">;
type Audited = Pick<Publication, "tenant" | "at" | "actor" | "reason">;

export function publicationOf({ tenant, at, actor, reason }: Audited, name: string, told: Told): Publication {
  return { tenant, name, at, actor, reason, ...told };
}

export function mismatch(name: string, asked: number, number: number): Refusal {
  return {
    code: "revision_mismatch",
    message: `If-Match says ${asked}, and the last publication of ${name} is number ${number}: somebody else was quicker.`,
    hint: `See what there is now: GET /v1/definitions/${name}/publications. Nothing was changed.`,
    details: { publication: number },
  };
}

export function busy(name: string): Refusal {
  return { code: "unavailable", message: `Too many are publishing versions of "${name}" at once.` };
}
