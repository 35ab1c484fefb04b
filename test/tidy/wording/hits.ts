// Finds phrases of phrases.ts in one file: in its sentences, in its name, and in the names that it exports.
import { posix } from "node:path";
import type { Complaint } from "../inspect.ts";
import { clauses, everywhere, type Phrase } from "./phrases.ts";
import { sentencesOf } from "./sentences.ts";

/** What lies between two words of one sentence: a break in a comment, or between two parts of a string. */
const GAP = "[\\s/*\"'`+]+";
const QUESTION = String.raw`(?![^.?!"\n]{0,120}\?)`;

type Rule = { readonly pattern: RegExp; readonly instead: string };

const inTexts: readonly Rule[] = [
  ...everywhere.filter(({ where }) => where === undefined).map((phrase) => ruleOf(phrase, GAP, "gi")),
  ...clauses.map((phrase) => ruleOf(phrase, GAP, "g", QUESTION)),
];
const inNames: readonly Rule[] = everywhere.map((phrase) => ruleOf(phrase, " ", "g"));

export function phrasesIn(path: string, text: string): readonly Complaint[] {
  const stem = posix.basename(path).replace(/\.[a-z]+$/, "");
  return [
    ...aboutText(path, text),
    ...aboutName(path, stem, 1),
    ...exportsOf(text).flatMap(([name, line]) => aboutName(path, name, line)),
  ];
}

function aboutText(path: string, text: string): readonly Complaint[] {
  const sentences = sentencesOf(path, text);
  return inTexts.flatMap(({ pattern, instead }) =>
    [...sentences.matchAll(pattern)].map((found) => {
      const line = text.slice(0, found.index).split("\n").length;
      return complaint(path, line, found[0].replaceAll(new RegExp(GAP, "g"), " "), instead);
    }),
  );
}

function aboutName(path: string, name: string, line: number): readonly Complaint[] {
  const words = wordsOf(name);
  if (words === name.toLowerCase() && name === name.toUpperCase()) return [];
  return inNames
    .filter(({ pattern }) => words.match(pattern) !== null)
    .map(({ instead }) => complaint(path, line, name, instead));
}

function complaint(path: string, line: number, found: string, instead: string): Complaint {
  return { path, line, says: `"${found}": ${instead}`, to: null };
}

/** `giveBackSlot`, `give-back-slot` and `GIVE_BACK_SLOT` are all "give back slot". */
function wordsOf(name: string): string {
  return [...name.matchAll(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g)].join(" ").toLowerCase();
}

function exportsOf(text: string): readonly (readonly [name: string, line: number])[] {
  return text.split("\n").flatMap((line, index) => {
    const name = /^export (?:async )?(?:abstract )?(?:function\*?|const|let|type|class|interface) (\w+)/.exec(
      line,
    )?.[1];
    return name === undefined ? [] : [[name, index + 1] as const];
  });
}

function ruleOf({ words, instead }: Phrase, gap: string, flags: string, after = ""): Rule {
  return { pattern: new RegExp(`\\b(?:${words.replaceAll(" ", gap)})\\b${after}`, flags), instead };
}
