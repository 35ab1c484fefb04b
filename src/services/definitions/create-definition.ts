// Definition creation: checks a definition, and stores it as the next version of its name. The version is published at
// the same time, unless it is a draft.
import type { StoredDefinition } from "#catalog/definitions.ts";
import { recordPublication } from "#catalog/publications/publications.ts";
import { replaceCaps } from "#catalog/publications/definition-caps.ts";
import { publicationInstant } from "#policy/versions/rollback.ts";
import { defaults } from "#schema/defaults.ts";
import { timeOrderedId } from "#schema/ids.ts";
import { accept, refuse, type Refusal, type Result, type Warning } from "#schema/refusal.ts";
import type { TestResult } from "#schema/virtual/test-result.ts";
import { auditRow } from "../audit/audit.ts";
import { calendarUsesOf } from "../calendars/pin-calendars.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { recordSearchVariables } from "../executions/search-declarations.ts";
import type { WriteOutcome } from "../named/put-named.ts";
import { putVersion, type PutVersion } from "../versioned/put-version.ts";
import { storeVersion, type CompleteVersion } from "../versioned/store-version.ts";
import { invalidVersion } from "../versioned/versioned-noun.ts";
import { definitionNoun } from "./definition-noun.ts";
import { placementsOf } from "./find-definition.ts";
import { capsOf, makeCurrent, publicationStackOf, publicationOf } from "./publications.ts";
import { sameAsNewest, sameOrWithheld } from "./same-definition.ts";
import { checkDefinition, definitionWarnings } from "./validate-definition.ts";
import { withDefaults } from "./with-defaults.ts";

export type CreateDefinition = {
  readonly body: unknown;
  /** True: store the version without publishing it. Failing tests then become warnings and cause no refusal. */
  readonly draft?: boolean;
  readonly admit?: (current: StoredDefinition | null) => Refusal | null;
  readonly dryRun: boolean;
};
export type CreatedDefinition = {
  readonly definition: StoredDefinition;
  readonly created: boolean;
  readonly tested: readonly TestResult[];
  readonly warnings: readonly Warning[];
};

export async function createDefinition(
  deps: Deps,
  caller: TenantCaller,
  { body, draft = false, admit, dryRun }: CreateDefinition,
): Promise<Result<CreatedDefinition>> {
  const reviewed = await checkDefinition(deps, caller.tenant, body, { isDraft: draft });
  if (!reviewed.ok) return reviewed;
  const checked = reviewed.value;
  if (!checked.ok) return refuse(invalidVersion("definition", checked.findings));
  const { tested, definition: written } = checked;
  const warnings = await definitionWarnings(deps, caller, written, tested, { isDraft: draft });
  if (!warnings.ok) return warnings;
  const answerOf = (definition: StoredDefinition, created: boolean): CreatedDefinition => {
    return { definition, created, tested, warnings: warnings.value };
  };
  const stored = await storeVersion(deps, caller, definitionNoun, {
    name: written.name,
    body: JSON.stringify(withDefaults(deps, written)),
    same: draft ? sameAsNewest(deps) : sameOrWithheld(deps),
    complete: async (bare, current) => {
      const unplaced = {
        ...bare,
        kind: written.kind,
        keyedPlacement: current === null ? (written.placement ?? defaults.placement) : placementsOf(current).keyed,
        id: timeOrderedId("def", bare.createdAt, deps.randomBytes(10)),
      };
      if (!draft) return publishedVersion(deps, caller, unplaced);
      const row: StoredDefinition = { ...unplaced, publishedAt: null, withheld: "draft", isNameTarget: false };
      return { row };
    },
    ...(admit && { admit }),
    verb: draft ? "draft" : "create",
    answerOf: (definition) => answerOf(definition, true),
    dryRun,
  });
  if (!stored.ok) return stored;
  if (!dryRun) await recordSearchVariables(deps, caller.tenant, written);
  const { row, created } = stored.value;
  if (draft || row.withheld === null) return accept(answerOf(row, created));
  if (row.withheld === "rolled_back") return refuse(rolledBack(row));
  const request = { row, reason: null, ifPublication: null, dryRun };
  const published = await makeCurrent(deps, caller, request, ({ definition }) => answerOf(definition, false));
  return published.ok ? accept(answerOf(published.value.definition, false)) : published;
}

export function putDefinition(
  deps: Deps,
  caller: TenantCaller,
  input: PutVersion,
): Promise<Result<WriteOutcome<CreatedDefinition>>> {
  const store = (content: CreateDefinition) => createDefinition(deps, caller, content);
  return putVersion(definitionNoun, input, store, ({ definition }) => definition);
}

/** Completes the row of a version that is stored and published in one batch. */
async function publishedVersion(
  deps: Deps,
  caller: TenantCaller,
  unplaced: Omit<StoredDefinition, "publishedAt" | "withheld" | "isNameTarget">,
): Promise<CompleteVersion<StoredDefinition>> {
  const { name, version } = unplaced;
  const { number, stack } = await publicationStackOf(deps, unplaced, 1);
  const [top] = stack;
  const audited = auditRow(deps, caller, "definition.create", name);
  const change = { number: number + 1, verb: "published", version, was: top?.version ?? null } as const;
  const row = {
    ...unplaced,
    publishedAt: publicationInstant(unplaced.createdAt, top),
    withheld: null,
    isNameTarget: true,
  };
  const publication = publicationOf(audited, name, change);
  const afterAudit = [...replaceCaps(deps.db, publication, capsOf(row)), ...calendarUsesOf(deps, row)];
  return { row, alongside: { ...recordPublication(deps.db, publication), afterAudit } };
}

function rolledBack({ name, version }: StoredDefinition): Refusal {
  return {
    code: "definition_rolled_back",
    message: `The content equals the version ${name}@${version}, which was rolled back.`,
    hint: `To use that version anyway, publish it: POST /v1/definitions/${name}@${version}/publish. GET /v1/definitions/${name}/publications shows why the version was rolled back.`,
    details: { version },
  };
}
