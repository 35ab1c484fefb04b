// Zod findings: converts zod's issues to findings. Each has a JSON pointer, a code, a sentence, and for an unknown
// field the field that was probably meant.
import { z } from "zod";
import { fieldHints, type FieldHints } from "./field-hints.ts";
import { FINDINGS_MAX } from "./limits/api-requests.ts";
import type { Finding } from "./refusal.ts";
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
function* allFindings(error: z.ZodError, known: Known): Generator<Finding> {
  for (const issue of error.issues) yield* findingsOf(issue, [], known);
}

export function jsonPointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** A schema, the whole value, and the depth at which the schema applies in the value. */
type Known = { readonly schema: z.core.$ZodType | undefined; readonly value: unknown; readonly at: number };

function* findingsOf(issue: Issue, above: Path, known: Known): Generator<Finding> {
  const path = [...above, ...issue.path];
  switch (issue.code) {
    case "unrecognized_keys":
      yield* unknownFields(issue.keys, path, objectsAt(known, path));
      return;
    case "invalid_union": {
      const branch = mostRelevant(issue.errors);
      if (branch === null) return yield noBranch(issue, path);
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
  // Any other issue keeps zod's own message. A later version of zod may add further issues.
  yield plain(issue, path);
}

function* unknownFields(keys: readonly string[], path: Path, objects: readonly z.ZodObject[]): Generator<Finding> {
  const known = [...new Set(objects.flatMap(({ shape }) => Object.keys(shape)))];
  const hints = Object.assign({}, ...objects.map((object) => fieldHints.get(object))) as FieldHints; // The registry has only field hints.
  for (const key of keys) yield unknownField([...path, key], key, known, hints);
}

function plain(issue: Issue, path: Path): Finding {
  const pointer = jsonPointer(path);
  if (issue.code === "invalid_type" && isMissing(issue)) return missing(pointer, issue.expected);
  const found = { pointer, code: issue.code, message: issue.message };
  const isInstant = issue.code === "invalid_format" && issue.format === "datetime";
  return isInstant ? { ...found, hint: "use an instant with its offset, such as 2026-11-18T09:00:00Z" } : found;
}

/** Returns true for a missing field. Zod has no own code for it, so the message is compared. */
function isMissing(issue: Issue | undefined): boolean {
  return issue?.code === "invalid_type" && issue.message.endsWith("received undefined");
}

function missing(pointer: string, expected: string): Finding {
  return { pointer, code: "required", message: `is missing (${expected} expected)` };
}

/** The finding for a value whose type no branch of a union accepts. The finding lists the accepted types. */
function noBranch(issue: Extract<Issue, { code: "invalid_union" }>, path: Path): Finding {
  const inner = issue.errors.flat();
  const wanted = [...new Set(inner.flatMap(wantedBy))].join(", ");
  if (wanted === "") return plain(issue, path);
  const pointer = jsonPointer(path);
  return inner.some(isMissing)
    ? missing(pointer, wanted)
    : { pointer, code: issue.code, message: `expected ${wanted}` };
}

function wantedBy(issue: Issue): readonly string[] {
  if (issue.path.length > 0) return [];
  if (issue.code === "invalid_value") return [`one of ${issue.values.map((value) => JSON.stringify(value)).join("|")}`];
  return issue.code === "invalid_type" ? [issue.expected] : [];
}

function unknownField(path: Path, key: string, known: readonly string[], hints: FieldHints): Finding {
  const finding = { pointer: jsonPointer(path), code: "unknown_field", message: `unknown field "${key}"` };
  const hint = Object.hasOwn(hints, key) ? hints[key] : undefined;
  if (hint !== undefined) return { ...finding, hint };
  const near = didYouMean(key, known);
  if (near !== null) return { ...finding, hint: `did you mean "${near}"?` };
  return known.length === 0 ? finding : { ...finding, hint: `known fields: ${known.join(", ")}` };
}

function reasons(issues: readonly Issue[]): string {
  return issues.map((issue) => issue.message).join("; ");
}

/**
 * Returns the issues of the branch that the client most likely meant: a branch that fits the value's JSON type and its
 * field `type`, then the branch whose error is deepest, then the one with the fewest errors. Returns null if every branch reports only a wrong type; the caller then
 * lists all types.
 */
function mostRelevant(branches: readonly (readonly Issue[])[]): readonly Issue[] | null {
  const meant = branches.filter((issues) => !issues.some((issue) => issue.path.length === 0 && isTypeIssue(issue)));
  const onType = (issues: readonly Issue[]): Issue | undefined =>
    issues.find(({ path }) => path.length === 1 && path[0] === "type");
  const named = meant.filter((issues) => onType(issues) === undefined);
  const unnamed = meant.filter((issues) => isMissing(onType(issues)));
  const [best] = ([named, unnamed].find(({ length }) => length > 0) ?? meant)
    .map((issues) => ({ issues, depth: depth(issues) }))
    .toSorted((a, b) => b.depth - a.depth || a.issues.length - b.issues.length);
  return best?.issues ?? null;
}

function isTypeIssue(issue: Issue): boolean {
  return issue.code === "invalid_type" || issue.code === "invalid_value";
}

function depth(issues: readonly Issue[]): number {
  return issues.reduce((deepest, issue) => Math.max(deepest, issue.path.length), 0);
}

function objectsAt(known: Known, path: Path): readonly z.ZodObject[] {
  const objects = schemasAt(known, path)
    .flatMap(unwrapped)
    .filter((schema) => schema instanceof z.ZodObject);
  return ofType(objects, valueAt(known.value, path));
}

function schemasAt({ schema: root, at }: Known, path: Path): readonly z.core.$ZodType[] {
  let schemas: readonly z.core.$ZodType[] = root === undefined ? [] : [root];
  for (const step of path.slice(at)) schemas = schemas.flatMap(unwrapped).flatMap((schema) => childOf(schema, step));
  return schemas;
}

/** Returns the schemas whose `type` field accepts the value's `type`. Returns all schemas if none does. */
function ofType(objects: readonly z.ZodObject[], value: unknown): readonly z.ZodObject[] {
  const type = isRecord(value) ? value["type"] : undefined;
  const isFor = ({ shape }: z.ZodObject): boolean => shape["type"] instanceof z.ZodLiteral;
  const own = objects.filter((each) => isFor(each) && each.shape["type"].value === type);
  const others = objects.filter((each) => !isFor(each));
  return type === undefined ? objects : own.length > 0 ? own : others;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, step) => (isRecord(part) ? part[String(step)] : undefined), value);
}

function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null;
}

/** Reduces a union to the branch that the client most likely meant, so that hints name only fields of this branch. */
function branchOf(known: Known, path: Path, index: number): Known {
  const [union, another] = schemasAt(known, path).map(bare);
  const option = another === undefined && union instanceof z.ZodUnion ? union.options[index] : undefined;
  return option === undefined ? known : { ...known, schema: option, at: path.length };
}

/** Returns the schemas inside wrappers and unions, until it reaches objects, lists or plain values. */
function unwrapped(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const inner = bare(schema);
  return inner instanceof z.ZodUnion ? inner.options.flatMap(unwrapped) : [inner];
}

function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPipe) return bare(schema.in);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodLazy
  ) {
    return bare(schema.unwrap());
  }
  return schema;
}

function childOf(schema: z.core.$ZodType, step: PropertyKey): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodArray) return [schema.element];
  if (schema instanceof z.ZodRecord) return [schema.valueType];
  if (!(schema instanceof z.ZodObject) || !Object.hasOwn(schema.shape, step)) return [];
  const child: unknown = schema.shape[String(step)];
  return child instanceof z.ZodType ? [child] : [];
}
