// Definition test runs: runs the definition's own tests, or the tests in the request. Nothing is written or sent.
import { testDefinition } from "#kernel/virtual/test-definition.ts";
import { openNames, testFindings } from "#kernel/virtual/unknown-names.ts";
import type { Definition } from "#schema/definition/definition.ts";
import { definitionTests, type DefinitionTest } from "#schema/definition/tests.ts";
import { zodFindings } from "#schema/findings.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { accept, refuse, type Finding, type Result } from "#schema/refusal.ts";
import type { TestResult } from "#schema/virtual/test-result.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { compute } from "../computing/compute.ts";
import { definitionNoun } from "../definitions/definition-noun.ts";
import { getVersion } from "../versioned/get-version.ts";
import { invalidVersion } from "../versioned/versioned-noun.ts";
import { previewedDefinition } from "./previewed-definition.ts";

export type RunTests = {
  readonly definition: { readonly reference: string } | { readonly body: Json };
  /** The tests to run; null: the definition's own tests. */
  readonly tests: readonly DefinitionTest[] | null;
};

export async function runTests(
  deps: Deps,
  caller: TenantCaller,
  { definition: source, tests: requestedTests }: RunTests,
): Promise<Result<readonly TestResult[]>> {
  const found =
    "reference" in source
      ? await storedDefinition(deps, caller, source.reference)
      : await sentDefinition(deps, caller, source.body);
  if (!found.ok) return found;
  const definition = found.value;
  // The definition's own tests have been checked: when it was stored, or by sentDefinition.
  if (requestedTests === null) return compute(deps, caller.tenant, testDefinition(definition, definition.tests ?? []));
  const findings = testFindings(openNames(definition), requestedTests, ["tests"]);
  const [first] = findings;
  if (first === undefined) return compute(deps, caller.tenant, testDefinition(definition, requestedTests));
  const message = `The tests cannot be run: ${first.pointer} ${first.message}.`;
  return refuse({ code: "invalid_input", message, errors: findings });
}

async function storedDefinition(deps: Deps, caller: TenantCaller, reference: string): Promise<Result<Definition>> {
  const row = await getVersion(deps, caller, definitionNoun, reference);
  // The stored body passed the checks of a definition.
  return row.ok ? accept(JSON.parse(row.value.body) as Definition) : row;
}

/**
 * Checks the definition in the request without its tests, and then the form and the names of its tests. Failing tests
 * are not refused, because the failures are the answer.
 */
async function sentDefinition(deps: Deps, caller: TenantCaller, body: Json): Promise<Result<Definition>> {
  const { tests = [], ...untested } = objectOf(body);
  const previewed = await previewedDefinition(deps, caller, { body: untested, at: AT });
  if (!previewed.ok) return previewed;
  const { definition } = previewed.value;
  const parsed = definitionTests.safeParse(tests);
  if (!parsed.success)
    return refuse(invalidVersion("definition", belowTests(zodFindings(parsed.error, definitionTests, tests))));
  const findings = testFindings(openNames(definition), parsed.data, []);
  if (findings.length > 0) return refuse(invalidVersion("definition", belowTests(findings)));
  return accept({ ...definition, tests: parsed.data });
}

const AT = "/definition";

function belowTests(findings: readonly Finding[]): readonly Finding[] {
  return findings.map((each) => ({ ...each, pointer: `${AT}/tests${each.pointer}` }));
}

function objectOf(body: Json): JsonObject {
  return typeof body === "object" && body !== null && !Array.isArray(body) ? (body as JsonObject) : {};
}
