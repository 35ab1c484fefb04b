// Turns zod's issues into findings: a JSON pointer, a code, a sentence, and "did you mean" for unknown fields.
import { z } from "zod";
import type { Finding } from "./refusal.ts";
import { didYouMean } from "./suggest.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** `root` is the schema that the value was parsed with; without it, unknown fields come without a hint. */
export function zodFindings(error: z.ZodError, root?: z.ZodType): Finding[] {
  return error.issues.flatMap((issue) => findingsOf(issue, [], root));
}

export function jsonPointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function findingsOf(issue: Issue, above: Path, root: z.ZodType | undefined): Finding[] {
  const path = [...above, ...issue.path];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownField([...path, key], key, knownFields(root, path)));
    case "invalid_union": {
      const branch = mostRelevant(issue.errors);
      return branch === null ? [noBranch(issue, path)] : branch.flatMap((inner) => findingsOf(inner, path, root));
    }
    case "invalid_key":
      return [{ pointer: jsonPointer(path), code: issue.code, message: `the name must be: ${reasons(issue.issues)}` }];
    case "invalid_element":
      return issue.issues.flatMap((inner) => findingsOf(inner, path, root));
  }
  // All others, and those that zod may yet get, in its own words.
  return [plain(issue, path)];
}

function plain(issue: Issue, path: Path): Finding {
  const pointer = jsonPointer(path);
  if (issue.code === "invalid_type" && isMissing(issue)) return missing(pointer, issue.expected);
  const found = { pointer, code: issue.code, message: issue.message };
  const isInstant = issue.code === "invalid_format" && issue.format === "datetime";
  return isInstant ? { ...found, hint: "an instant with its offset, such as 2026-11-18T09:00:00Z" } : found;
}

/** zod has no code of its own for a missing field; only its sentence tells (and only our sentence depends on it). */
function isMissing(issue: Issue): boolean {
  return issue.code === "invalid_type" && issue.message.endsWith("received undefined");
}

function missing(pointer: string, expected: string): Finding {
  return { pointer, code: "required", message: `is missing (${expected} expected)` };
}

/** Every branch only says "not this": all that would have done is said instead of "Invalid input". */
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

function unknownField(path: Path, key: string, known: readonly string[]): Finding {
  const near = didYouMean(key, known);
  const finding = { pointer: jsonPointer(path), code: "unknown_field", message: `unknown field "${key}"` };
  if (near !== null) return { ...finding, hint: `did you mean "${near}"?` };
  return known.length === 0 ? finding : { ...finding, hint: `known are ${known.join(", ")}` };
}

function reasons(issues: readonly Issue[]): string {
  return issues.map((issue) => issue.message).join("; ");
}

/**
 * The branch that the writer most likely meant: one that got past the question of type, then the one whose complaint
 * lies deepest, then the one with the fewest. None where every branch only says "not this type".
 */
function mostRelevant(branches: readonly (readonly Issue[])[]): readonly Issue[] | null {
  const meant = branches.filter((issues) => !issues.some((issue) => issue.path.length === 0 && isTypeIssue(issue)));
  const [best] = meant.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length);
  return best ?? null;
}

function isTypeIssue(issue: Issue): boolean {
  return issue.code === "invalid_type" || issue.code === "invalid_value";
}

function depth(issues: readonly Issue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

function knownFields(root: z.ZodType | undefined, path: Path): readonly string[] {
  let schemas: readonly z.core.$ZodType[] = root === undefined ? [] : [root];
  for (const step of path) schemas = schemas.flatMap(unwrapped).flatMap((schema) => childOf(schema, step));
  return [
    ...new Set(schemas.flatMap(unwrapped).flatMap((s) => (s instanceof z.ZodObject ? Object.keys(s.shape) : []))),
  ];
}

/** Through wrappers and into every branch of a union, down to what has fields or elements. */
function unwrapped(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(unwrapped);
  if (schema instanceof z.ZodPipe) return unwrapped(schema.in);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodLazy
  ) {
    return unwrapped(schema.unwrap());
  }
  return [schema];
}

function childOf(schema: z.core.$ZodType, step: PropertyKey): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodArray) return [schema.element];
  if (schema instanceof z.ZodRecord) return [schema.valueType];
  if (!(schema instanceof z.ZodObject) || !Object.hasOwn(schema.shape, step)) return [];
  const child: unknown = schema.shape[String(step)];
  return child instanceof z.ZodType ? [child] : [];
}
