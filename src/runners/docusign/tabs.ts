// DocuSign tabs: the schema and the checks of tabs in the tenant's own documents. A tab is at a text of the document
// (anchor) or at a position on a page. Fields in DocuSign's templates are filled by templateRoles instead.
import { z } from "zod";
import { oneLine } from "../core/mailbox.ts";
import type { Refusal } from "./refusal.ts";
import { flag, wholeNumber, positiveNumber, offset, text } from "./docusign-text.ts";

/** The limit of this project for each kind of tab. DocuSign has no such limit. */
const TABS_MAX = 200;

const positionFields = {
  /** The text at which the tab appears: at every occurrence in all documents, or in the document of documentId. */
  anchorString: oneLine.min(1).max(80).optional(),
  anchorUnits: z.enum(["pixels", "inches", "mms", "cms"]).optional(),
  anchorXOffset: offset.optional(),
  anchorYOffset: offset.optional(),
  anchorIgnoreIfNotPresent: flag.optional(),
  anchorCaseSensitive: flag.optional(),
  anchorMatchWholeWord: flag.optional(),
  documentId: positiveNumber.optional(),
  pageNumber: positiveNumber.optional(),
  /** The position in points from the upper left corner of the page. */
  xPosition: wholeNumber.optional(),
  yPosition: wholeNumber.optional(),
};
const nameFields = { tabLabel: oneLine.min(1).max(100).optional(), name: oneLine.min(1).max(100).optional() };
const fontFields = {
  font: oneLine.min(1).max(50).optional(),
  fontSize: oneLine.min(1).max(20).optional(),
  bold: flag.optional(),
};
const inputFields = { required: flag.optional(), locked: flag.optional() };

export const tab = z.strictObject({ ...positionFields, ...nameFields });
const stamp = tab.extend({ optional: flag.optional(), scaleValue: offset.optional() });
const label = tab.extend(fontFields);
const field = tab.extend({
  ...fontFields,
  ...inputFields,
  value: text.optional(),
  tooltip: oneLine.min(1).max(500).optional(),
  width: wholeNumber.optional(),
  height: wholeNumber.optional(),
  maxLength: positiveNumber.optional(),
});
const box = tab.extend({ ...inputFields, selected: flag.optional(), tooltip: oneLine.min(1).max(500).optional() });

const kinds = {
  signHereTabs: z.array(stamp).max(TABS_MAX).optional(),
  initialHereTabs: z.array(stamp).max(TABS_MAX).optional(),
  dateSignedTabs: z.array(label).max(TABS_MAX).optional(),
  fullNameTabs: z.array(label).max(TABS_MAX).optional(),
  textTabs: z.array(field).max(TABS_MAX).optional(),
  checkboxTabs: z.array(box).max(TABS_MAX).optional(),
};

export const tabs = z.strictObject(kinds);
export type Tabs = z.infer<typeof tabs>;

type Position = { readonly [name in keyof typeof positionFields]?: unknown };

const POSITION_FIELDS = ["documentId", "pageNumber", "xPosition", "yPosition"] as const;
const EXCLUDED_BY_ANCHOR = ["pageNumber", "xPosition", "yPosition"] as const;

/**
 * Checks a person's tabs. `documents` lists the known document ids; null if a template adds documents with unknown ids.
 */
export function tabRefusals(tab: Tabs | undefined, documents: ReadonlySet<string> | null): Refusal[] {
  return Object.entries(tab ?? {}).flatMap(([kind, list]) =>
    (list ?? []).flatMap((each, n) =>
      positionRefusals(each, documents).map(({ path, message }) => ({ path: [kind, n, ...path], message })),
    ),
  );
}

function positionRefusals(tab: Position, documents: ReadonlySet<string> | null): Refusal[] {
  const { documentId } = tab;
  if (documentId !== undefined && documents !== null && !documents.has(String(documentId))) {
    const documentList = [...documents].join(", ");
    return [
      { path: ["documentId"], message: `there is no document ${String(documentId)}; the envelope has ${documentList}` },
    ];
  }
  if (tab.anchorString !== undefined) {
    const excluded = EXCLUDED_BY_ANCHOR.find((name) => tab[name] !== undefined);
    return excluded === undefined
      ? []
      : [{ path: [excluded], message: "a tab has either an anchorString or a position: remove one of them" }];
  }
  const anchored = Object.keys(tab).find((name) => name.startsWith("anchor"));
  if (anchored !== undefined) return [{ path: [anchored], message: "is only allowed together with anchorString" }];
  const missing = POSITION_FIELDS.find((name) => tab[name] === undefined);
  if (missing === undefined) return [];
  const message = `is missing: a tab needs anchorString, or ${POSITION_FIELDS.join(", ")}`;
  return [{ path: [missing], message }];
}
