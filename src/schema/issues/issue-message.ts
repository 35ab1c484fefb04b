// Issue messages: says what a value must be when its schema refuses it. zod calls this for each issue without a message
// of its own, so that no answer contains zod's own sentences.
import { z } from "zod";

type RawIssue = z.core.$ZodRawIssue;

const MISSING = "is missing";

/** Returns what the value must be, and what it is. An absent field is "missing", whatever its schema expects. */
export function issueMessage(issue: RawIssue): string {
  const requirement = requirementOf(issue);
  if (sentTo(issue) === undefined) return missingMessage(requirement);
  const actual = actualOf(issue);
  return actual === null ? requirement : `${requirement}, but ${actual}`;
}

// Not `localeError`: each copy of zod that is loaded later sets that one again.
z.config({ customError: issueMessage });

export function missingMessage(requirement: string): string {
  return `${MISSING}: it ${requirement}`;
}

/** Returns true for a missing field. zod has no own code for it, so the message is compared. */
export function isMissing(issue: { readonly message: string } | undefined): boolean {
  return issue?.message.startsWith(MISSING) ?? false;
}

/** Returns the value, or the value of the field that selects a branch of the union. */
function sentTo(issue: RawIssue): unknown {
  const { input } = issue;
  if (issue.code !== "invalid_union" || issue.discriminator === undefined) return input;
  return typeof input === "object" && input !== null ? Reflect.get(input, issue.discriminator) : input;
}

function requirementOf(issue: RawIssue): string {
  switch (issue.code) {
    case "too_big":
    case "too_small":
      return limitOf(issue);
    case "invalid_format":
      return formatRequirement(issue);
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `must not have the fields ${issue.keys.join(", ")}`;
    case "invalid_key":
      return "must have a valid name";
    case "invalid_union":
      return Array.isArray(issue.options)
        ? `must be ${choiceOf(issue.options)}`
        : "must have one of the described forms";
  }
  const wanted = wantedBy(issue);
  return wanted === null ? "must have the described form" : `must be ${wanted}`;
}

type Wanting = { readonly code?: string | undefined; readonly expected?: unknown; readonly values?: unknown };

/** Returns the type or the values that the schema accepts, as a noun phrase. Returns null for another kind of issue. */
export function wantedBy({ code, expected, values }: Wanting): string | null {
  if (code === "invalid_value" && Array.isArray(values)) return choiceOf(values);
  return code === "invalid_type" && typeof expected === "string" ? nounOf(expected) : null;
}

function choiceOf(values: readonly unknown[]): string {
  const written = values.map((value) => JSON.stringify(value) ?? String(value));
  return written.length === 1 ? written.join() : `one of ${written.join(", ")}`;
}

const NOUNS: { readonly [type: string]: string } = {
  array: "an array",
  boolean: "true or false",
  int: "an integer",
  nan: "a number",
  nonoptional: "given",
  null: "null",
  object: "an object",
  record: "an object",
  undefined: "absent",
  unknown: "a JSON value",
};

function nounOf(type: string): string {
  return NOUNS[type] ?? `a ${type}`;
}

/** Returns what the client sent. Returns null if the requirement says enough. Texts may be secret and are not shown. */
function actualOf(issue: RawIssue): string | null {
  const { input } = issue;
  if (issue.code === "invalid_type") return isTypeNamed(issue) ? `is ${nounOf(typeOf(input))}` : null;
  if (issue.code !== "too_big" && issue.code !== "too_small") return null;
  if (typeof input === "number") return `is ${input}`;
  if (issue.code === "too_small" && issue.minimum === 1) return null;
  return typeof input === "string" || Array.isArray(input) ? `has ${input.length}` : null;
}

/** A number that is none comes from a text that is no number, so its type would mislead. */
function isTypeNamed({ input, expected }: Extract<RawIssue, { code: "invalid_type" }>): boolean {
  return expected !== "unknown" && expected !== typeOf(input) && !Number.isNaN(input);
}

function typeOf(input: unknown): string {
  if (input === null) return "null";
  return Array.isArray(input) ? "array" : typeof input;
}

const UNITS: { readonly [origin: string]: string } = { string: "characters", array: "items", set: "items" };

function limitOf(issue: Extract<RawIssue, { code: "too_big" | "too_small" }>): string {
  const limit = issue.code === "too_big" ? issue.maximum : issue.minimum;
  const unit = UNITS[issue.origin ?? ""];
  if (unit === undefined) return `must be ${boundOf(issue)} ${limit}`;
  if (issue.code === "too_small" && limit === 1) return "must not be empty";
  return `must have ${boundOf(issue)} ${limit} ${unit}`;
}

function boundOf(issue: Extract<RawIssue, { code: "too_big" | "too_small" }>): string {
  if (issue.exact) return "exactly";
  if (issue.code === "too_big") return issue.inclusive === false ? "less than" : "at most";
  return issue.inclusive === false ? "more than" : "at least";
}

const FORMATS: { readonly [format: string]: string } = {
  base64: "base64",
  date: "a date such as 2026-11-18",
  datetime: "an instant",
  duration: "an ISO 8601 duration such as P3D",
  email: "an e-mail address",
  time: "a time such as 09:00:00",
  url: "a URL",
  uuid: "a UUID",
};

function formatRequirement(issue: Extract<RawIssue, { code: "invalid_format" }>): string {
  const named = FORMATS[issue.format];
  if (named !== undefined) return `must be ${named}`;
  return issue.pattern === undefined
    ? `must have the format ${issue.format}`
    : `must match the pattern ${String(issue.pattern)}`;
}
