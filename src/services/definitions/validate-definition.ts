// Definition validation: collects all findings in one pass. They concern the form, the meaning, the actions' configs
// (from the runners), and the named templates.
import { controlTypes } from "#schema/definition/journey/node-parts.ts";
import { definitionVersions } from "#catalog/definitions.ts";
import { findByName } from "#catalog/versioned.ts";
import { placedActions, placeOfFinding } from "#kernel/programs/placed-actions.ts";
import { testDefinition } from "#kernel/virtual/test-definition.ts";
import { countFindings } from "#kernel/verify/count-findings.ts";
import { openNames, testFindings } from "#kernel/virtual/unknown-names.ts";
import { verifyInParts } from "#kernel/verify/definition.ts";
import { warningsInParts } from "#kernel/verify/warnings.ts";
import { definition, type Definition } from "#schema/definition/definition.ts";
import { defaults } from "#schema/defaults.ts";
import { mergeWarnings } from "#policy/advice/merge-warnings.ts";
import { firstFindings, zodFindings } from "#schema/findings.ts";
import { validParts, wholeDefinition, type ValidParts } from "#schema/issues/valid-parts.ts";
import { DEFINITION_BYTES_MAX } from "#schema/limits/definition-sizes.ts";
import { accept, type Finding, type Result, type Warning } from "#schema/refusal.ts";
import type { TestResult } from "#schema/virtual/test-result.ts";
import { runnerFindings } from "../actions/check-action.ts";
import { compute } from "../computing/compute.ts";
import { isCatalogFailure } from "../catalog-failure.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { calendarWarnings, pinCalendars, type PendingCalendars } from "../calendars/pin-calendars.ts";
import { pinTemplates, type PendingTemplates } from "../templates/pin-templates.ts";
import { capWarnings } from "./cap-warnings.ts";
import { hostWarnings, plainHttpWarnings } from "./host-warnings.ts";
import { namedWarnings } from "./named-warnings.ts";
import { placementsOf } from "./find-definition.ts";
import { withDefaults } from "./with-defaults.ts";

/**
 * The result of a check. `parsed` is the definition as the client sent it. `valid` has the parts of a refused definition
 * that its schema accepts; it is null if the body has no such parts.
 */
export type CheckedDefinition =
  | {
      readonly ok: true;
      readonly definition: Definition;
      readonly tested: readonly TestResult[];
      readonly parsed: Definition;
    }
  | { readonly ok: false; readonly findings: readonly Finding[]; readonly valid: ValidParts | null };

/** The answer of the validate endpoint. Warnings do not prevent storing. */
export type DefinitionReview = { readonly findings: readonly Finding[]; readonly warnings: readonly Warning[] };

export async function reviewDefinition(
  deps: Deps,
  caller: TenantCaller,
  body: unknown,
): Promise<Result<DefinitionReview>> {
  const reviewed = await checkDefinition(deps, caller.tenant, body);
  if (!reviewed.ok) return reviewed;
  const checked = reviewed.value;
  if (checked.ok) {
    const found = await definitionWarnings(deps, caller, checked.parsed, checked.tested);
    return found.ok ? accept({ findings: [], warnings: found.value }) : found;
  }
  const { findings, valid } = checked;
  if (valid === null) return accept({ findings, warnings: [] });
  // Only the names in the rest are looked up if parts are missing. The other warnings compare the parts of a definition.
  const found = valid.isWhole
    ? await definitionWarnings(deps, caller, valid.rest, [])
    : accept(withoutPatches(await catalogWarnings(deps, caller, valid.rest)));
  return found.ok ? accept({ findings, warnings: valid.ofWhole(found.value) }) : found;
}

/** Removes the patches, because the positions in the rest's lists differ from those in the body. */
function withoutPatches(warnings: readonly Warning[]): readonly Warning[] {
  return warnings.map(({ patch: _patch, ...warning }) => warning);
}

/**
 * Collects the warnings about a checked definition. All failing tests of a draft are warnings, because a draft is
 * stored although tests fail.
 */
export async function definitionWarnings(
  deps: Deps,
  caller: TenantCaller,
  checked: Definition,
  tested: readonly TestResult[],
  { isDraft }: CheckMode = PUBLISH_MODE,
): Promise<Result<readonly Warning[]>> {
  const kernelWarnings = await compute(deps, null, warningsInParts(checked));
  if (!kernelWarnings.ok) return kernelWarnings;
  return accept(
    mergeWarnings([
      ...kernelWarnings.value,
      ...plainHttpWarnings(deps, checked),
      ...(await catalogWarnings(deps, caller, checked)),
      ...testWarnings(tested, ({ blocking }) => isDraft || !blocking),
    ]),
  );
}

/** Turns failing tests into warnings. By default only tests that do not block publishing are selected. */
export function testWarnings(
  tested: readonly TestResult[],
  which: (tested: TestResult) => boolean = ({ blocking }) => !blocking,
): readonly Warning[] {
  return failedFindings(tested, which).map((result) => {
    return { ...result, severity: "warning", fix: "Fix the definition, or the expectation of its test." };
  });
}

type CheckMode = {
  readonly isDraft: boolean;
  /** Templates that are not stored yet, and count as stored. */
  readonly templates?: PendingTemplates;
  /** The same for calendars. */
  readonly calendars?: PendingCalendars;
};
const PUBLISH_MODE: CheckMode = { isDraft: false };

/**
 * Checks a definition and runs its tests. Returns the definition as it will be stored, with pinned templates. Refuses
 * it if the check costs too much.
 */
export async function checkDefinition(
  deps: Deps,
  tenant: string,
  body: unknown,
  { isDraft, templates, calendars }: CheckMode = PUBLISH_MODE,
): Promise<Result<CheckedDefinition>> {
  const size = sizeFindings(body);
  if (size.length > 0) return accept({ ok: false, findings: size, valid: null });
  const parsed = definition.safeParse(body);
  if (!parsed.success)
    return refusedForm(deps, tenant, body, zodFindings(parsed.error, definition, body), { templates, calendars });
  const checked = await checkMeaning(deps, tenant, parsed.data, { templates, calendars });
  if (!checked.ok) return checked;
  const { findings, pinned } = checked.value;
  if (findings.length > 0) return accept({ ok: false, findings, valid: wholeDefinition(parsed.data) });
  const { tests = [] } = parsed.data;
  // `$schema` only helps editors. It is not stored, so two definitions that differ only in it are the same.
  const { $schema: _forEditors, ...stored } = pinned;
  const computed = await compute(deps, tenant, testDefinition(withDefaults(deps, stored), tests));
  if (!computed.ok) return computed;
  const tested = computed.value;
  const blocked = failedFindings(tested, ({ blocking }) => blocking && !isDraft);
  const result: CheckedDefinition =
    blocked.length > 0
      ? { ok: false, findings: blocked, valid: wholeDefinition(parsed.data) }
      : { ok: true, definition: stored, tested, parsed: parsed.data };
  return accept(result);
}

/** Adds the findings about the parts that the schema accepts, so that one answer has everything that is wrong. */
async function refusedForm(
  deps: Deps,
  tenant: string,
  body: unknown,
  findings: readonly Finding[],
  pending: PendingNames,
): Promise<Result<CheckedDefinition>> {
  const valid = validParts(body, findings);
  if (valid === null) return accept({ ok: false, findings, valid });
  const checked = await checkMeaning(deps, tenant, valid.rest, pending);
  if (!checked.ok) return checked;
  return accept({ ok: false, findings: firstFindings([...findings, ...valid.ofWhole(checked.value.findings)]), valid });
}

type PendingNames = {
  readonly templates: PendingTemplates | undefined;
  readonly calendars: PendingCalendars | undefined;
};
type CheckedMeaning = { readonly findings: readonly Finding[]; readonly pinned: Definition };

/** Checks what the schema cannot express: the kernel's checks, the actions' configs, the templates, the tests' names. */
async function checkMeaning(
  deps: Deps,
  tenant: string,
  parsed: Definition,
  { templates, calendars }: PendingNames,
): Promise<Result<CheckedMeaning>> {
  const pinned = await pinTemplates(deps, tenant, parsed, templates);
  const dated = await pinCalendars(deps, tenant, pinned.definition, calendars);
  const verified = await compute(deps, null, verifyInParts(parsed));
  if (!verified.ok) return verified;
  const findings = withoutRepeats([
    ...verified.value,
    ...actionFindings(deps, parsed),
    ...pinned.findings,
    ...dated.findings,
    ...testFindings(openNames(parsed), parsed.tests ?? [], ["tests"]),
  ]);
  return accept({ findings, pinned: dated.definition });
}

/** Returns one finding for each failure of the selected tests, with a pointer into the definition. */
export function failedFindings(
  tested: readonly TestResult[],
  which: (tested: TestResult) => boolean,
): readonly Finding[] {
  return tested.flatMap((each, n) =>
    which(each)
      ? each.failures.map(({ pointer, message }) => {
          return { pointer: `/tests/${n}${pointer}`, code: "test_failed", message: `${each.name}: ${message}` };
        })
      : [],
  );
}

/** Removes repeated findings: several nodes may inherit the same fault, which is reported once. */
function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((each) => [JSON.stringify(each), each])).values()];
}

/** Returns the warnings for which the catalog is read. Returns none if the catalog does not answer. */
export async function catalogWarnings(
  deps: Deps,
  caller: TenantCaller,
  checked: Definition,
): Promise<readonly Warning[]> {
  const lookups = Promise.all([
    placementWarnings(deps, caller.tenant, checked),
    hostWarnings(deps, caller.tenant, checked),
    namedWarnings(deps, caller, checked),
    capWarnings(deps, caller.tenant, checked),
    calendarWarnings(deps, caller.tenant, checked),
  ]);
  const result = await lookups.catch((cause: unknown) => {
    if (isCatalogFailure(cause)) return [];
    throw cause;
  });
  return mergeWarnings(result.flat());
}

/**
 * Warns if the definition's placement applies only to starts without a key. Keyed starts keep the placement of the
 * name's first version.
 */
async function placementWarnings(
  { db }: Pick<Deps, "db">,
  tenant: string,
  { name, placement = defaults.placement }: Definition,
): Promise<readonly Warning[]> {
  const current = await findByName(db, definitionVersions, tenant, name);
  if (current === null) return [];
  const { keyed } = placementsOf(current);
  if (keyed === placement) return [];
  return [
    {
      severity: "warning",
      pointer: "/placement",
      code: "placement_of_the_name",
      message: `executions of ${name} that start with an Idempotency-Key keep the placement ${keyed} of the first version. Otherwise a repeated request would not find the first execution`,
      fix: `To give all executions the placement ${placement}, store the definition under another name.`,
    },
  ];
}

/** Returns a finding if the body is too large. This is checked before the form is parsed. */
function sizeFindings(body: unknown): readonly Finding[] {
  const bytes = new TextEncoder().encode(JSON.stringify(body) ?? "").byteLength;
  if (bytes <= DEFINITION_BYTES_MAX) return countFindings(body);
  const message = `the definition has ${bytes} bytes; the limit is ${DEFINITION_BYTES_MAX}`;
  return [{ pointer: "", code: "limit_exceeded", message }];
}

function actionFindings(deps: Deps, definition: Definition): readonly Finding[] {
  const nodeTypes = definition.kind === "journey" ? controlTypes : [];
  return placedActions(definition).flatMap((placed) =>
    runnerFindings(deps, placed.action, "", nodeTypes).map((result) => placeOfFinding(definition, placed, result)),
  );
}
