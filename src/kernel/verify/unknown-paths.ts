// Paths in rules and templates that never exist: a rule reads null there, and a template fails its run.
import type { Warning } from "#schema/refusal.ts";
import { partsOf } from "../language/rule-parts.ts";
import { parseCondition } from "../language/rule-findings.ts";
import { globalsIn } from "../language/template.ts";
import { warning } from "./finding.ts";
import { isSeen, meantBy, namesAt, type AdditionalNames } from "./readable-names.ts";
import type { WarningBudget } from "./warning-budget.ts";
import type { PlacedRule, PlacedText, Written } from "./rules-and-templates/rules-and-templates.ts";

export function pathWarnings(written: Written, budget: WarningBudget): readonly Warning[] {
  const { rules, texts, named: variables, given = {} } = written;
  const seen = { variables, given, budget };
  return [...rules.flatMap((each) => inRule(each, seen)), ...texts.flatMap((each) => inText(each, seen))];
}

type Seen = { readonly variables: Variables; readonly given: AdditionalNames; readonly budget: WarningBudget };

/**
 * Paths that are checked. Other paths climb out of loops, have dots in names, or are templates, which another warning
 * covers.
 */
export const PLAIN_PATH = /^[\w-]+(\.[\w-]+)*$/;

type Variables = ReadonlySet<string>;

function inRule({ rule, where, isCondition }: PlacedRule, { variables, given, budget }: Seen): readonly Warning[] {
  const isText = isCondition && typeof rule === "string";
  const read = isText ? parseCondition(rule) : rule;
  if (read === undefined) return [];
  return partsOf(read, where).flatMap(({ kind, text, at }) => {
    const names = text.split(".");
    if (kind !== "path" || !PLAIN_PATH.test(text) || isSeen(names, given)) return [];
    const told = budget.make(() => {
      const meant = meantBy(names, variables, given);
      const fix = meant === null ? `${namesAt(names, given)} Use one of these.` : `Write "${meant}".`;
      // A pointer cannot address a place inside a text that contains JSON.
      const patch = meant === null || isText ? null : [{ op: "replace", path: at, value: meant } as const];
      return warning(isText ? where : at, "unknown_path", `rules have no ${text}`, { fix, patch });
    });
    return [told];
  });
}

function inText({ text, where }: PlacedText, { variables, given, budget }: Seen): readonly Warning[] {
  return globalsIn(text).flatMap((names) => {
    if (names[0] === "secrets" || isSeen(names, given)) return [];
    const told = budget.make(() => {
      const path = names.join(".");
      const meant = meantBy(names, variables, given);
      const fix = meant === null ? `${namesAt(names, given)} Use one of these.` : `Write {{ ${meant} }}.`;
      const value = meant === null || !budget.mayPatch(text) ? null : withoutPath(text, path, meant);
      const patch = value === null ? null : [{ op: "replace", path: where, value } as const];
      return warning(where, "unknown_path", `templates have no ${path}`, { fix, patch });
    });
    return [told];
  });
}

/** The text with the intended path; null if another spelling of the wrong path would remain. */
function withoutPath(text: string, path: string, meant: string): string | null {
  const value = rewritten(text, path, meant);
  return globalsIn(value).some((each) => each.join(".") === path) ? null : value;
}

/** Replaces a path between braces only, because the rest is plain text. */
export function rewritten(text: string, path: string, meant: string): string {
  const written = new RegExp(`(?<![\\w.'"-])${path.replaceAll(/[.$*+?()[\]{}|^\\-]/g, "\\$&")}(?![\\w-])`, "g");
  return text.replace(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g, (piece) => piece.replace(written, meant));
}
