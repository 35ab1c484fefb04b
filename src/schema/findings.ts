// Zod findings: converts zod's issues to findings. Each has a JSON pointer, a code, a sentence, and for an unknown
// field the field that was probably meant.
import type { z } from "zod";
import { fieldHints, type FieldHints } from "./field-hints.ts";
import { isMissing, missingMessage, wantedBy } from "./issues/issue-message.ts";
import { FINDINGS_MAX } from "./limits/api-requests.ts";
import type { Finding } from "./refusal.ts";
import { branchOf, constantOf, objectsAt, valueAt, type KnownSchema, type KnownObjects } from "./issues/schemas-at.ts";
import { didYouMean } from "./suggest.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/**
 * Returns the findings about a value, at most as many as an answer may contain. `root`: the schema that parsed the
 * value; without it, unknown fields get no hint. `value`: its `type` decides which branch of a union the hints use.
 */
export function zodFindings(error: z.ZodError, root?: z.ZodType, value?: unknown): Finding[] {
  const findings: Finding[] = [];
  for (const finding of allFindings(error, { schema: root, value, at: 0 })) {
    if (findings.length === FINDINGS_MAX) return [...findings, moreFindings];
    findings.push(finding);
  }
  return findings;
}

const moreFindings: Finding = {
  pointer: "",
  code: "more_findings",
  message: `has more findings than are listed; the list shows the first ${FINDINGS_MAX}`,
};

/** Cuts a list of findings to the number that an answer may contain. */
export function firstFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.length <= FINDINGS_MAX ? findings : [...findings.slice(0, FINDINGS_MAX), moreFindings];
}

/**
 * Generates each finding only when it is read. A finding costs a search for similar names, and a large body may have
 * very many findings.
 */
function* allFindings(error: z.ZodError, known: KnownSchema): Generator<Finding> {
  for (const issue of error.issues) yield* findingsOf(issue, [], known);
}

export function jsonPointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function* findingsOf(issue: Issue, above: Path, known: KnownSchema): Generator<Finding> {
  const path = [...above, ...issue.path];
  switch (issue.code) {
    case "unrecognized_keys":
      yield* unknownFields(issue.keys, path, objectsAt(known, path));
      return;
    case "invalid_union": {
      const branch = mostRelevant(issue.errors);
      if (branch === null) return yield noBranch(issue, path, valueAt(known.value, path));
      const within = branchOf(known, path, (issue.errors as readonly (readonly Issue[])[]).indexOf(branch));
      for (const inner of branch) yield* findingsOf(inner, path, within);
      return;
    }
    case "invalid_key":
      yield { pointer: jsonPointer(path), code: issue.code, message: `the name is invalid: ${reasons(issue.issues)}` };
      return;
    case "invalid_element":
      for (const inner of issue.issues) yield* findingsOf(inner, path, known);
      return;
  }
  yield plain(issue, path, valueAt(known.value, path));
}

function* unknownFields(keys: readonly string[], path: Path, objects: KnownObjects): Generator<Finding> {
  const known = [...new Set(objects.meant.flatMap(({ shape }) => Object.keys(shape)))];
  const hints = Object.assign({}, ...objects.meant.map((object) => fieldHints.get(object))) as FieldHints; // The registry has only field hints.
  for (const key of keys) {
    const finding = { pointer: jsonPointer([...path, key]), code: "unknown_field", message: `unknown field "${key}"` };
    const hint = hintFor(key, known, hints) ?? placeOf(key, objects.others, known);
    yield hint === null ? finding : { ...finding, hint };
  }
}

function hintFor(key: string, known: readonly string[], hints: FieldHints): string | null {
  if (Object.hasOwn(hints, key)) return hints[key] ?? null;
  const near = didYouMean(key, known);
  return near === null ? null : `did you mean "${near}"?`;
}

/** Returns the known fields, and the constant field of another branch (`kind: "journey"`) that has the unknown field. */
function placeOf(key: string, others: readonly z.ZodObject[], known: readonly string[]): string | null {
  const places = others.filter(({ shape }) => Object.hasOwn(shape, key)).flatMap(constantsOf);
  const list = known.length === 0 ? null : `known fields: ${known.join(", ")}`;
  return places.length === 0 ? list : [`only possible with ${places.join(" or ")}`, list].filter(Boolean).join("; ");
}

function constantsOf(object: z.ZodObject): readonly string[] {
  return Object.keys(object.shape)
    .map((field) => [field, constantOf(object, field)] as const)
    .filter(([, constant]) => constant !== undefined)
    .map(([field, constant]) => `${field}: ${JSON.stringify(constant)}`)
    .slice(0, 1);
}

/** The finding with the issue's own message. It says "did you mean" if the sent text resembles an accepted one. */
function plain(issue: Issue, path: Path, value: unknown): Finding {
  const code = isMissing(issue) ? "required" : issue.code;
  const found = { pointer: jsonPointer(path), code, message: issue.message };
  if (issue.code === "invalid_format" && issue.format === "datetime") return { ...found, hint: INSTANT_HINT };
  const near = typeof value === "string" ? didYouMean(value, choicesOf(issue)) : null;
  return near === null ? found : { ...found, hint: `did you mean "${near}"?` };
}

const INSTANT_HINT = "use an instant with its offset, such as 2026-11-18T09:00:00Z";

function choicesOf(issue: Issue): readonly string[] {
  if (issue.code !== "invalid_value" && issue.code !== "invalid_union") return [];
  const choices: readonly unknown[] =
    issue.code === "invalid_value" ? issue.values : "options" in issue ? (issue.options ?? []) : [];
  return choices.filter((choice) => typeof choice === "string");
}

/** The finding for a value that no branch of a union accepts. The finding lists the accepted types and values. */
function noBranch(issue: Extract<Issue, { code: "invalid_union" }>, path: Path, value: unknown): Finding {
  const inner = issue.errors.flat().filter((each) => each.path.length === 0);
  const wanted = [...new Set(inner.map(wantedBy).filter((each) => each !== null))].join(", or ");
  if (wanted === "") return plain(issue, path, value);
  const requirement = `must be ${wanted}`;
  const near = typeof value === "string" ? didYouMean(value, inner.flatMap(choicesOf)) : null;
  return {
    pointer: jsonPointer(path),
    ...(inner.some(isMissing)
      ? { code: "required", message: missingMessage(requirement) }
      : { code: issue.code, message: requirement }),
    ...(near === null ? {} : { hint: `did you mean "${near}"?` }),
  };
}

function reasons(issues: readonly Issue[]): string {
  return issues.map((issue) => issue.message).join("; ");
}

/**
 * Returns the issues of the branch that the client most likely meant: a branch that fits the value's JSON type and its
 * constant fields, then the branch whose error is deepest, then the one with the fewest errors. Returns null if every
 * branch reports only a wrong type; the caller then
 * lists all types.
 */
function mostRelevant(branches: readonly (readonly Issue[])[]): readonly Issue[] | null {
  const meant = branches.filter((issues) => !issues.some((issue) => issue.path.length === 0 && isTypeIssue(issue)));
  const onType = (issues: readonly Issue[]): Issue | undefined =>
    issues.find((issue) => issue.path.length === 1 && (issue.path[0] === "type" || isConstant(issue)));
  const named = meant.filter((issues) => onType(issues) === undefined);
  const unnamed = meant.filter((issues) => isMissing(onType(issues)));
  const [best] = ([named, unnamed].find(({ length }) => length > 0) ?? meant)
    .map((issues) => ({ issues, depth: depth(issues) }))
    .toSorted((a, b) => b.depth - a.depth || a.issues.length - b.issues.length);
  return best?.issues ?? null;
}

/** Returns true for a wrong or missing field that can have only one value, such as `kind`. */
function isConstant(issue: Issue): boolean {
  return issue.code === "invalid_value" && issue.values.length === 1;
}

function isTypeIssue(issue: Issue): boolean {
  return issue.code === "invalid_type" || issue.code === "invalid_value";
}

function depth(issues: readonly Issue[]): number {
  return issues.reduce((deepest, issue) => Math.max(deepest, issue.path.length), 0);
}
