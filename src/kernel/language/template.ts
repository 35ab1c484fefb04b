// Templates: parses a string once into plain text, a path, or parts with secret slots. Also lists the names that a
// template reads. Liquid's own analysis needs quadratic time, 5 s for a message part at its size limit, so it is not
// used.
import {
  Output,
  TypeGuards,
  Value,
  type Arguments,
  type PropertyAccessToken,
  type Template,
  type Token,
  toValueSync,
} from "liquidjs";
import { TEMPLATE_BYTES_MAX } from "#schema/limits/definition-sizes.ts";
import { TEMPLATES_CACHED_MAX, TEMPLATE_CACHED_CHARS_MAX } from "#schema/limits/isolates/compiled-caches.ts";
import { UNSUBSCRIBE_URL } from "#schema/outgoing/unsubscribe-link.ts";
import { didYouMean } from "#schema/suggest.ts";
import type { FaultCode } from "../computing/fault.ts";
import { filterNames, liquidFailure, parseTemplate, tagNames, type TemplateFormat } from "./liquid.ts";
import { byteLength } from "./json-values.ts";

type Argument = Arguments extends Iterable<infer Each> ? Each : never;

/** `isLink`: the part is `{{ unsubscribe_url }}`, which becomes a slot in an e-mail. */
export type Part = { readonly secret: string } | { readonly template: Template; readonly isLink: boolean };

export type TemplateFault = {
  readonly kind: "broken";
  readonly code: FaultCode;
  readonly message: string;
  readonly hint?: string;
};
export type CompiledText =
  | { readonly kind: "text" }
  /**
   * `names`: the names of the path if they are plain and joined by dots. Otherwise null, and Liquid evaluates the path.
   */
  | { readonly kind: "path"; readonly value: Value; readonly names: readonly string[] | null }
  | { readonly kind: "parts"; readonly parts: readonly Part[] }
  | TemplateFault;

const cache = new Map<string, CompiledText>();

const PLAIN: CompiledText = { kind: "text" };

/**
 * Parses a template. Parsed templates are cached by their text. Texts without template code are not cached, because
 * there is no limit to how many different ones occur.
 */
export function compile(text: string): CompiledText {
  if (!text.includes("{{") && !text.includes("{%")) return PLAIN;
  const known = cache.get(text);
  if (known !== undefined) return known;
  const compiled = compileText(text);
  if (cache.size >= TEMPLATES_CACHED_MAX) cache.clear();
  if (text.length <= TEMPLATE_CACHED_CHARS_MAX) cache.set(text, compiled);
  return compiled;
}

function compileText(text: string): CompiledText {
  const bytes = byteLength(text);
  if (bytes > TEMPLATE_BYTES_MAX) {
    const message = `is ${bytes} bytes; the limit is ${TEMPLATE_BYTES_MAX} (TEMPLATE_BYTES_MAX)`;
    return { kind: "broken", code: "template_too_big", message };
  }
  try {
    return compileParts(parseTemplate(text));
  } catch (thrown) {
    return parseFault(liquidFailure(thrown).message);
  }
}

/** A template that cannot read secrets, such as a part of a message. `uses`: the names that the template reads. */
export type MessagePartTemplate = {
  readonly kind: "parsed";
  readonly templates: readonly Template[];
  readonly uses: readonly NameUse[];
};

export function parseMessagePart(text: string, format: TemplateFormat): MessagePartTemplate | TemplateFault {
  try {
    const templates = parseTemplate(text, format);
    const tokens = templates.flatMap(tokensIn);
    if (tokens.some(isSecretPath)) return { kind: "broken", code: "secret_misused", message: SECRET_IN_MESSAGE };
    if (tokens.some(isUnboundedRange)) return unboundedRangeFault;
    return { kind: "parsed", templates, uses: usesIn(text, templates, ownTokensIn) };
  } catch (thrown) {
    return parseFault(liquidFailure(thrown).message);
  }
}

/**
 * The paths that a template reads, each once. Only paths of plain names are listed. Empty if the template cannot be
 * parsed.
 */
export function globalsIn(text: string): readonly (readonly string[])[] {
  const compiled = compile(text);
  if (compiled.kind === "text" || compiled.kind === "broken") return [];
  const templates = parseTemplate(text);
  const own = new Set(templates.flatMap(namesMadeIn));
  const paths = templates.flatMap(tokensIn).flatMap((token) => {
    if (!TypeGuards.isPropertyAccessToken(token) || token.variable !== undefined) return [];
    const names = token.props.map(contentOf);
    const end = names.findIndex((name) => typeof name !== "string" || !/^[\w-]+$/.test(name));
    return [names.slice(0, end === -1 ? names.length : end).map(String)];
  });
  const given = paths.filter((names) => names.length > 0 && !own.has(String(names[0])));
  return [...new Map(given.map((names) => [names.join("\n"), names])).values()];
}

/**
 * The names that a template sets itself. `assign` and `capture` set a name for all that follows, a loop only for its
 * body.
 */
function namesMadeIn(template: Template): string[] {
  const made = [...(template.localScope?.() ?? []), ...(template.blockScope?.() ?? [])];
  const names = made.map((name) => (typeof name === "string" ? name : name.content));
  return [...names, ...childrenOf(template).flatMap(namesMadeIn)];
}

/** The names of all secrets in a text, each once. */
export function secretsIn(text: string): readonly string[] {
  const compiled = compile(text);
  if (compiled.kind !== "parts") return [];
  return [...new Set(compiled.parts.flatMap((part) => ("secret" in part ? [part.secret] : [])))];
}

function parseFault(message: string): TemplateFault {
  const [, kind, name] = /(undefined filter: |tag ")([^",]+)/.exec(message) ?? [];
  const meant = name === undefined ? null : didYouMean(name, kind === 'tag "' ? tagNames : filterNames);
  const broken = { kind: "broken", code: "template_invalid", message } as const;
  return meant === null ? broken : { ...broken, hint: `did you mean "${meant}"?` };
}

/**
 * The message for a secret in a tag or before a filter. Tags and filters run in the kernel, which never has the
 * secret's value.
 */
const SECRET_MISUSED =
  "a secret can only be inserted unchanged, as {{ secrets.name }}; tags, conditions, filters and other paths cannot use secrets";
const SECRET_IN_MESSAGE = "secrets are not available in templates, because the text of a message is stored and shown";
/**
 * The refusal of a range with too large a start. Above the largest safe integer, adding 1 gives the same number, so the
 * range would never end.
 */
const unboundedRangeFault: TemplateFault = {
  kind: "broken",
  code: "template_invalid",
  message: "a range must start with a whole number of up to six digits, like (1..count)",
};

/** How a text uses the unsubscribe link. misused: elsewhere than as {{ unsubscribe_url }} outside of tags. */
export type LinkUse = "none" | "inserted" | "misused";

export function linkUseIn(text: string): LinkUse {
  if (!text.includes(UNSUBSCRIBE_URL)) return "none";
  const compiled = compile(text);
  if (compiled.kind === "path" && isLinkPath(compiled.names)) return "inserted";
  if (!globalsIn(text).some(([root]) => root === UNSUBSCRIBE_URL)) return "none";
  const templates = compiled.kind === "parts" ? compiled.parts.flatMap(otherTemplates) : [];
  return templates.flatMap(tokensIn).some(readsLink) || compiled.kind === "path" ? "misused" : "inserted";
}

function otherTemplates(part: Part): Template[] {
  return "secret" in part || part.isLink ? [] : [part.template];
}

function readsLink(token: Token): boolean {
  return rootOf(token) === UNSUBSCRIBE_URL;
}

export function isLinkPath(names: readonly string[] | null): boolean {
  return names?.length === 1 && names[0] === UNSUBSCRIBE_URL;
}

function compileParts(templates: readonly Template[]): CompiledText {
  // A text that sets the name itself reads its own value.
  const hasLink = templates.some(isLinkOutput) && !templates.flatMap(namesMadeIn).includes(UNSUBSCRIBE_URL);
  const parts = templates.map((template): Part => {
    const secret = secretName(template);
    return secret === null ? { template, isLink: hasLink && isLinkOutput(template) } : { secret };
  });
  const tokens = parts.flatMap((part) => ("secret" in part ? [] : tokensIn(part.template)));
  if (tokens.some(isSecretPath)) return { kind: "broken", code: "secret_misused", message: SECRET_MISUSED };
  if (tokens.some(isUnboundedRange)) return unboundedRangeFault;
  const [only] = parts;
  const lone = parts.length === 1 && only !== undefined && "template" in only ? singlePath(only.template) : null;
  return lone === null ? { kind: "parts", parts } : { kind: "path", value: lone.value, names: namesOf(lone.path) };
}

function namesOf(path: PropertyAccessToken): readonly string[] | null {
  const names = path.getText().split(".");
  return names.every((name, at) => name === contentOf(path.props[at])) ? names : null;
}

/** The path of an output that consists of one path only; null if the template has anything else, such as a filter. */
function singlePath(template: Template): { readonly value: Value; readonly path: PropertyAccessToken } | null {
  if (!(template instanceof Output) || template.value.filters.length > 0) return null;
  const { value } = template;
  const [path, ...more] = value.initial.postfix;
  return more.length === 0 && TypeGuards.isPropertyAccessToken(path) ? { value, path } : null;
}

function isLinkOutput(template: Template): boolean {
  const path = singlePath(template)?.path;
  return path !== undefined && isLinkPath(namesOf(path));
}

function secretName(template: Template): string | null {
  const path = singlePath(template)?.path;
  if (!isSecretPath(path) || path.props.length !== 2) return null;
  const name = contentOf(path.props[1]);
  return typeof name === "string" ? name : null;
}

function isSecretPath(token: unknown): token is PropertyAccessToken {
  return TypeGuards.isPropertyAccessToken(token) && contentOf(token.props[0]) === "secrets";
}

function isUnboundedRange(token: unknown): boolean {
  return TypeGuards.isRangeToken(token) && !/^-?\d{1,6}$/.test(token.lhs.getText());
}

function contentOf(token: Token | undefined): unknown {
  return token !== undefined && "content" in token ? token.content : undefined;
}

/** Every value that a template reads, including those of nested templates. */
function tokensIn(template: Template): Token[] {
  return [...ownTokensIn(template), ...childrenOf(template).flatMap(tokensIn)];
}

function ownTokensIn(template: Template): Token[] {
  return Array.from(template.arguments?.() ?? []).flatMap(tokensOf);
}

function tokensOf(argument: Argument | Token): Token[] {
  if (argument instanceof Value) {
    const operands = argument.filters.flatMap(({ args }) => args).map((arg) => (Array.isArray(arg) ? arg[1] : arg));
    return [...argument.initial.postfix, ...operands].filter((token) => token !== undefined).flatMap(tokensOf);
  }
  if (TypeGuards.isRangeToken(argument)) return [argument, ...tokensOf(argument.lhs), ...tokensOf(argument.rhs)];
  if (!TypeGuards.isPropertyAccessToken(argument)) return [argument];
  const inside = argument.variable === undefined ? argument.props : [argument.variable, ...argument.props];
  return [argument, ...inside.flatMap(tokensOf)];
}

export type NameUse = { readonly name: string; readonly line: number };

/**
 * The names that a template reads, each once, with the line of the first use. `tokensOf`: lists the values in a
 * template's tags and outputs.
 */
export function usesIn(
  text: string,
  templates: readonly Template[],
  tokensOf: (template: Template) => readonly Token[],
): readonly NameUse[] {
  const begins = new Map<string, number>();
  const made = new Set<string>();
  const visit = (template: Template, around: readonly string[]): void => {
    for (const token of tokensOf(template)) {
      const name = rootOf(token);
      if (name === null || made.has(name) || around.includes(name) || begins.has(name)) continue;
      begins.set(name, token.begin);
    }
    for (const { content } of template.localScope?.() ?? []) made.add(content);
    const inside = [...around, ...(template.blockScope?.() ?? [])];
    for (const child of childrenOf(template)) visit(child, inside);
  };
  for (const template of templates) visit(template, []);
  return withLines(text, begins);
}

export function childrenOf(template: Template): readonly Template[] {
  return template.children === undefined ? [] : toValueSync(template.children(false, true));
}

function rootOf(token: Token): string | null {
  if (!TypeGuards.isPropertyAccessToken(token)) return null;
  const [root] = token.props;
  const content: unknown = Object(root).content;
  return typeof content === "string" ? content : null;
}

/** Adds the line number to each name. The text is read only once for all names. */
function withLines(text: string, begins: ReadonlyMap<string, number>): readonly NameUse[] {
  const lines = new Map<string, number>();
  let line = 1;
  let at = 0;
  for (const [name, begin] of [...begins].toSorted((a, b) => a[1] - b[1])) {
    for (; at < begin; at++) if (text[at] === "\n") line += 1;
    lines.set(name, line);
  }
  return [...begins.keys()].map((name) => ({ name, line: Number(lines.get(name)) }));
}
