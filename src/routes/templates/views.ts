// Message template reads: the latest version of each name, one version, and all versions of a name.
import { presentTemplate, presentTemplateSummary } from "#wire/templates/present.ts";
import { storedTemplate, templateRefText, templateSummary } from "#wire/templates/shape.ts";
import { templateNoun } from "#services/templates/templates.ts";
import { versionViews } from "../versioned.ts";

export const templateViews = versionViews({
  noun: templateNoun,
  plural: "templates",
  tag: "Templates",
  ids: { list: "listTemplates", read: "getTemplate", versions: "listTemplateVersions" },
  readSummary: "Get a message template",
  ref: templateRefText,
  summary: templateSummary,
  stored: storedTemplate,
  presentSummary: presentTemplateSummary,
  present: presentTemplate,
});
