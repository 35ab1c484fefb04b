// Paths in rules and templates that never exist. A rule reads null there, and a template makes its run fail.
import { UNSUBSCRIBE_URL } from "#schema/outgoing/unsubscribe-link.ts";
import type { Warning } from "#schema/refusal.ts";
import { partsOf } from "../language/rule-parts.ts";
import { parseCondition } from "../language/rule-findings.ts";
import { globalsIn } from "../language/template.ts";
import { hint, warning } from "./finding.ts";
import { isReadable, intendedPath, existingNames, withoutAlias, type AdditionalNames } from "./readable-names.ts";
import type { WarningBudget } from "./warning-budget.ts";
import type { PlacedRule, PlacedText, RulesAndTemplates } from "./rules-and-templates/rules-and-templates.ts";

export function pathWarnings(written: RulesAndTemplates, budget: WarningBudget): readonly Warning[] {
  const { rules, texts, knownVariables: variables, additionalNames: given = {} } = written;
  const seen = { variables, given, budget };
  return [...rules.flatMap((each) => ruleWarnings(each, seen)), ...texts.flatMap((each) => textWarnings(each, seen))];
}

type PathNames = { readonly variables: Variables; readonly given: AdditionalNames; readonly budget: WarningBudget };

/**
 * The form of the paths that are checked. Other paths climb out of a loop, have a dot in a name, or are templates.
 * Templates in rules have a warning of their own (languages.ts).
 */
export const PLAIN_PATH = /^[\w-]+(\.[\w-]+)*$/;

type Variables = ReadonlySet<string>;

function ruleWarnings(
  { rule, where, isCondition }: PlacedRule,
  { variables, given, budget }: PathNames,
): readonly Warning[] {
  const isText = isCondition && typeof rule === "string";
  const read = isText ? parseCondition(rule) : rule;
  if (read === undefined) return [];
  return partsOf(read, where).flatMap(({ kind, text, at }) => {
    if (kind !== "path" || !PLAIN_PATH.test(text)) return [];
    const alias = withoutAlias(text.split("."), given);
    const names = alias ?? text.split(".");
    if (isReadable(names, given))
      return alias === null ? [] : [budget.make(() => aliasHint(alias, at, alias.join(".")))];
    const told = budget.make(() => {
      const meant = intendedPath(names, variables, given);
      const fix = meant === null ? `${existingNames(names, given)} Use one of these names.` : `Write "${meant}".`;
      // The rule is inside a text, and a JSON pointer cannot address a part of a text. The warning then has no patch.
      const patch = meant === null || isText ? null : [{ op: "replace", path: at, value: meant } as const];
      return warning(isText ? where : at, "unknown_path", `rules have no ${text}`, { fix, patch });
    });
    return [told];
  });
}

function textWarnings({ text, where }: PlacedText, { variables, given, budget }: PathNames): readonly Warning[] {
  return globalsIn(text).flatMap((names) => {
    const alias = withoutAlias(names, given);
    if (alias !== null && isReadable(alias, given)) return [budget.make(() => aliasHint(alias, where, null))];
    // Other checks report misused secrets and links.
    if (names[0] === "secrets" || names[0] === UNSUBSCRIBE_URL) return [];
    if (alias === null && isReadable(names, given)) return [];
    const told = budget.make(() => {
      const path = names.join(".");
      const meant = intendedPath(alias ?? names, variables, given);
      const fix =
        meant === null ? `${existingNames(alias ?? names, given)} Use one of these names.` : `Write {{ ${meant} }}.`;
      const value = meant === null || !budget.mayPatch(text) ? null : withIntendedPath(text, path, meant);
      const patch = value === null ? null : [{ op: "replace", path: where, value } as const];
      return warning(where, "unknown_path", `templates have no ${path}`, { fix, patch });
    });
    return [told];
  });
}

function aliasHint(alias: readonly string[], where: string, value: string | null): Warning {
  const meant = alias.join(".");
  const patch = value === null ? null : [{ op: "replace", path: where, value } as const];
  return hint(where, "action_status_alias", "observed.actionStatus is another name of action", {
    fix: `Write ${meant}, as in the other kinds of definitions.`,
    patch,
  });
}

/**
 * The text with the intended path instead of the wrong one. null if the wrong path also occurs in another spelling,
 * which would remain.
 */
function withIntendedPath(text: string, path: string, meant: string): string | null {
  const value = replacePath(text, path, meant);
  return globalsIn(value).some((each) => each.join(".") === path) ? null : value;
}

/** Replaces a path only inside braces, because the text outside of braces is not template code. */
export function replacePath(text: string, path: string, meant: string): string {
  const written = new RegExp(`(?<![\\w.'"-])${path.replaceAll(/[.$*+?()[\]{}|^\\-]/g, "\\$&")}(?![\\w-])`, "g");
  return text.replace(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g, (piece) => piece.replace(written, meant));
}
