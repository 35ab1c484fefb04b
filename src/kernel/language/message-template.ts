// Message templates: verifies templates, and renders them with variables. A template reads only its declared variables:
// no execution, clock or secrets. HTML output is escaped, and a subject is one line.
import type { Json, JsonObject } from "#schema/json.ts";
import { FINDINGS_MAX } from "#schema/limits/api-requests.ts";
import { MESSAGE_PART_BYTES_MAX } from "#schema/limits/definition-sizes.ts";
import { UNSUBSCRIBE_PLACEHOLDER, UNSUBSCRIBE_URL } from "#schema/outgoing/unsubscribe-link.ts";
import type { Finding } from "#schema/refusal.ts";
import { openGuesses } from "#schema/suggest.ts";
import { messageParts, type MessagePart, type MessageTemplate, type TemplateVariable } from "#schema/template.ts";
import { liquidFailure, openBudget, openContext, renderTemplate, type RenderBudget } from "./liquid.ts";
import { childPointer, byteLength } from "./json-values.ts";
import { parseMessagePart, type MessagePartTemplate, type TemplateFault, type NameUse } from "./template.ts";
import { unquotedOutputs, type UnquotedOutput } from "./unquoted-outputs.ts";

type ParsedPart = MessagePartTemplate | TemplateFault;

/** A parsed message template, which can be rendered any number of times. */
export type Message = {
  readonly variables: readonly TemplateVariable[];
  readonly parts: { readonly [part in MessagePart]: ParsedPart | null };
  /** The source text of the HTML part; null if there is none. */
  readonly htmlSource: string | null;
};

/**
 * The result of verifying a message. `findings`: errors that prevent the sending of the message. `hints`: possible
 * mistakes that do not prevent it.
 */
export type MessageReview = { readonly findings: readonly Finding[]; readonly hints: readonly Finding[] };
export type RenderedMessage = MessageReview & { readonly [part in MessagePart]: string | null };

/** Parses all parts. A part that cannot be parsed is stored as a fault, and `reviewMessage` reports it. */
export function parseMessage(template: MessageTemplate): Message {
  const { subject, html, text } = template;
  const parts = {
    subject: parsePart(subject, "subject"),
    html: parsePart(html, "html"),
    text: parsePart(text, "text"),
  };
  return { variables: template.variables, parts, htmlSource: html };
}

function parsePart(text: string | null, part: MessagePart): ParsedPart | null {
  if (text === null) return null;
  const bytes = byteLength(text);
  if (bytes > MESSAGE_PART_BYTES_MAX) {
    const message = `is ${bytes} bytes; the limit is ${MESSAGE_PART_BYTES_MAX} (MESSAGE_PART_BYTES_MAX)`;
    return { kind: "broken", code: "template_too_big", message };
  }
  if (part === "subject" && LINE_BREAK.test(text)) return { kind: "broken", code: "line_break", message: ONE_LINE };
  return parseMessagePart(text, part === "html" ? "html" : "text");
}

/**
 * Line breaks, which are refused in a subject. In a mail header the text after a line break would be another header.
 */
const LINE_BREAK = /[\r\n]/;
const ONE_LINE = "must be one line, without line breaks";

/** Verifies a message template, so that errors are found before a message is sent. */
export function reviewMessage({ variables, parts, htmlSource }: Message): MessageReview {
  const broken = messageParts.flatMap((part) => brokenFindings(parts[part], part));
  const uses = messageParts.flatMap((part) => usesIn(parts[part]).map((use) => ({ part, ...use })));
  const used = new Set(uses.map(({ name }) => name));
  const names = variables.map(({ name }) => name);
  const known = new Set(names);
  const guess = openGuesses(names);
  const duplicate = variables.flatMap((variable, n) => duplicateFindings(variables, variable, n));
  const undeclaredUses = firstFindings(uses.filter(({ name }) => !known.has(name) && name !== UNSUBSCRIBE_URL));
  const undeclared = undeclaredUses.map((use) => undeclaredFinding(use, guess(use.name)));
  const unused = variables.flatMap(({ name }, n) => (used.has(name) ? [] : [unusedFinding(name, n)]));
  const unquoted = firstFindings(unquotedOutputs(htmlSource ?? "")).map(unquotedFinding);
  // The variables of a part that cannot be parsed are unknown. Every variable might be used there, so none is reported
  // as unused.
  const hints = broken.length > 0 ? unquoted : [...unused, ...unquoted];
  return { findings: [...duplicate, ...broken, ...undeclared], hints };
}

/** The first findings, as many as a response lists. One part may have ten thousand. */
function firstFindings<T>(found: readonly T[]): readonly T[] {
  return found.slice(0, FINDINGS_MAX);
}

function usesIn(parsed: ParsedPart | null): readonly NameUse[] {
  return parsed?.kind === "parsed" ? parsed.uses : [];
}

function duplicateFindings(variables: readonly TemplateVariable[], { name }: TemplateVariable, n: number): Finding[] {
  if (variables.findIndex((other) => other.name === name) === n) return [];
  return [{ pointer: `/variables/${n}/name`, code: "duplicate_variable", message: `"${name}" is declared twice` }];
}

function brokenFindings(parsed: ParsedPart | null, part: MessagePart): Finding[] {
  if (parsed?.kind !== "broken") return [];
  const { code, message, hint } = parsed;
  return [{ pointer: `/${part}`, code, message, ...(hint === undefined ? {} : { hint }) }];
}

function undeclaredFinding(
  { part, name, line }: NameUse & { readonly part: MessagePart },
  near: string | null,
): Finding {
  const message = `uses the variable "${name}" (line ${line}), which the template does not declare`;
  const hint =
    near === null ? `Add { "name": "${name}" } to the variables of the template.` : `did you mean "${near}"?`;
  return { pointer: `/${part}`, code: "undeclared_variable", message, hint };
}

function unusedFinding(name: string, n: number): Finding {
  return {
    pointer: `/variables/${n}/name`,
    code: "unused_variable",
    message: `no part of the template uses the variable "${name}"`,
  };
}

function unquotedFinding({ written, line }: UnquotedOutput): Finding {
  const message = `${written} (line ${line}) is in an attribute without quotes: a space in the value would start another attribute`;
  return { pointer: "/html", code: "unquoted_attribute", message, hint: `write "${written}"` };
}

/**
 * Findings about the given variables: a required variable is missing, or a variable is not declared. `pointer`: the
 * pointer of the object that contains the given variables.
 */
export function variableFindings(
  variables: readonly TemplateVariable[],
  given: JsonObject,
  pointer: string,
): Finding[] {
  const known = variables.map(({ name }) => name);
  const missing = variables.filter(({ name, required }) => required && valueOf(given, name) === null);
  const strange = Object.keys(given).filter((name) => !known.includes(name));
  const guess = openGuesses(known);
  return [
    ...missing.map(({ name }) => ({
      pointer: childPointer(pointer, name),
      code: "required",
      message: `the variable "${name}" is missing`,
    })),
    ...strange.map((name) => unknownVariable(childPointer(pointer, name), name, guess(name))),
  ];
}

function unknownVariable(pointer: string, name: string, near: string | null): Finding {
  const message = `the template has no variable "${name}"`;
  return { pointer, code: "unknown_variable", message, ...(near === null ? {} : { hint: `did you mean "${near}"?` }) };
}

/** The value that was given for the variable; null if none was given. */
function valueOf(given: JsonObject, name: string): Json {
  return (Object.hasOwn(given, name) ? given[name] : null) ?? null;
}

/** `link`: the value of `unsubscribe_url`, unless the template declares a variable of this name. */
export function renderMessage(
  message: Message,
  given: JsonObject,
  link: string = UNSUBSCRIBE_PLACEHOLDER,
): RenderedMessage {
  const { variables, parts } = message;
  const wrong = variableFindings(variables, given, "/variables");
  if (wrong.length > 0) return { subject: null, html: null, text: null, findings: wrong, hints: [] };
  const own = Object.fromEntries(variables.map((each) => [each.name, valueOf(given, each.name) ?? each.default]));
  const scope = { [UNSUBSCRIBE_URL]: link, ...own };
  const budget = openBudget("the message");
  const subject = renderPart(parts.subject, "subject", scope, budget);
  const html = renderPart(parts.html, "html", scope, budget);
  const text = renderPart(parts.text, "text", scope, budget);
  const line = subject.text === null ? null : oneLine(subject.text);
  return {
    subject: line,
    html: html.text,
    text: text.text,
    findings: [...subject.findings, ...html.findings, ...text.findings],
    hints: line === subject.text ? [] : [shortenedSubject],
  };
}

type RenderedPart = { readonly text: string | null; readonly findings: readonly Finding[] };

function renderPart(
  parsed: ParsedPart | null,
  part: MessagePart,
  scope: JsonObject,
  budget: RenderBudget,
): RenderedPart {
  if (parsed?.kind !== "parsed") return { text: null, findings: brokenFindings(parsed, part) };
  try {
    const context = openContext(scope, budget);
    const text = parsed.templates.map((template) => renderTemplate(template, context, budget.work)).join("");
    budget.output.use(byteLength(text));
    return { text, findings: [] };
  } catch (thrown) {
    const { message } = liquidFailure(thrown);
    return { text: null, findings: [{ pointer: `/${part}`, code: "not_rendered", message }] };
  }
}

/** The text as one line. A line break in a variable would start another mail header. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

const shortenedSubject: Finding = {
  pointer: "/subject",
  code: "line_break",
  message: "the subject was reduced to one line: line breaks, control characters and surrounding spaces were removed",
};
