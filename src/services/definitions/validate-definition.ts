// Definition validation: collects all findings in one pass. They concern the form, the meaning, the actions' configs
// (from the runners), and the named templates.
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
import { zodFindings } from "#schema/findings.ts";
import { DEFINITION_BYTES_MAX } from "#schema/limits/definition-sizes.ts";
import { accept, type Finding, type Result, type Warning } from "#schema/refusal.ts";
import type { TestResult } from "#schema/virtual/test-result.ts";
import { runnerFindings } from "../actions/check-action.ts";
import { compute } from "../computing/compute.ts";
import { isCatalogFailure } from "../catalog-failure.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { pinTemplates } from "../templates/pin-templates.ts";
import { hostWarnings } from "./host-warnings.ts";
import { namedWarnings } from "./named-warnings.ts";
import { placementsOf } from "./find-definition.ts";
import { withDefaults } from "./with-defaults.ts";

/**
 * The result of a check. `parsed` is the definition as the client sent it. It is null if the body is not a definition
 * by its form.
 */
export type CheckedDefinition =
  | {
      readonly ok: true;
      readonly definition: Definition;
      readonly tested: readonly TestResult[];
      readonly parsed: Definition;
    }
  | { readonly ok: false; readonly findings: readonly Finding[]; readonly parsed: Definition | null };

/**
 * The answer of the validate endpoint. Warnings do not prevent storing. A body that is not a definition by its form
 * gets findings only.
 */
export type DefinitionReview = { readonly findings: readonly Finding[]; readonly warnings: readonly Warning[] };

export async function reviewDefinition(
  deps: Deps,
  caller: TenantCaller,
  body: unknown,
): Promise<Result<DefinitionReview>> {
  const reviewed = await checkDefinition(deps, caller.tenant, body);
  if (!reviewed.ok) return reviewed;
  const checked = reviewed.value;
  const findings = checked.ok ? [] : checked.findings;
  if (checked.parsed === null) return accept({ findings, warnings: [] });
  const warnings = await definitionWarnings(deps, caller, checked.parsed, checked.ok ? checked.tested : []);
  return warnings.ok ? accept({ findings, warnings: warnings.value }) : warnings;
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
  return accept([
    ...kernelWarnings.value,
    ...(await catalogWarnings(deps, caller, checked)),
    ...testWarnings(tested, ({ blocking }) => isDraft || !blocking),
  ]);
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

type CheckMode = { readonly isDraft: boolean };
const PUBLISH_MODE: CheckMode = { isDraft: false };

/**
 * Checks a definition and runs its tests. Returns the definition as it will be stored, with pinned templates. Refuses
 * it if the check costs too much.
 */
export async function checkDefinition(
  deps: Deps,
  tenant: string,
  body: unknown,
  { isDraft }: CheckMode = PUBLISH_MODE,
): Promise<Result<CheckedDefinition>> {
  const size = sizeFindings(body);
  if (size.length > 0) return accept({ ok: false, findings: size, parsed: null });
  const parsed = definition.safeParse(body);
  if (!parsed.success)
    return accept({ ok: false, findings: zodFindings(parsed.error, definition, body), parsed: null });
  const pinned = await pinTemplates(deps, tenant, parsed.data);
  const verified = await compute(deps, null, verifyInParts(parsed.data));
  if (!verified.ok) return verified;
  const { tests = [] } = parsed.data;
  const findings = withoutRepeats([
    ...verified.value,
    ...actionFindings(deps, parsed.data),
    ...pinned.findings,
    ...testFindings(openNames(parsed.data), tests, ["tests"]),
  ]);
  if (findings.length > 0) return accept({ ok: false, findings, parsed: parsed.data });
  // `$schema` only helps editors. It is not stored, so two definitions that differ only in it are the same.
  const { $schema: _forEditors, ...stored } = pinned.definition;
  const computed = await compute(deps, tenant, testDefinition(withDefaults(deps, stored), tests));
  if (!computed.ok) return computed;
  const tested = computed.value;
  const blocked = failedFindings(tested, ({ blocking }) => blocking && !isDraft);
  const result: CheckedDefinition =
    blocked.length > 0
      ? { ok: false, findings: blocked, parsed: parsed.data }
      : { ok: true, definition: stored, tested, parsed: parsed.data };
  return accept(result);
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
  ]);
  const result = await lookups.catch((cause: unknown) => {
    if (isCatalogFailure(cause)) return [];
    throw cause;
  });
  return result.flat();
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
  return placedActions(definition).flatMap((placed) =>
    runnerFindings(deps, placed.action, "").map((result) => placeOfFinding(definition, placed, result)),
  );
}
