// Previews as JSON, CSV or iCalendar, in parts: a head, a part for each row, and a foot.
import { csvHead, csvLine } from "./csv.ts";
import { icsEvent, icsFoot, icsHead } from "./icalendar.ts";
import { presentAround, presentChange, presentRow, type PresentedPreview } from "./present.ts";
import type { ApiPreviewChange, ApiPreviewRow, Format } from "./shape.ts";

export function calendarParts(format: Format, preview: PresentedPreview, contents: boolean): Iterable<string> {
  switch (format) {
    case "json":
      return jsonParts(preview, contents);
    case "csv":
      return csvParts(preview, contents);
    case "ics":
      return icsParts(preview);
  }
}

function* jsonParts(preview: PresentedPreview, contents: boolean): Iterable<string> {
  const around = JSON.stringify(presentAround(preview));
  yield `${around.slice(0, -1)},"${preview.compared === null ? "rows" : "changes"}":[`;
  let before = "";
  for (const row of linesOf(preview, contents)) {
    yield before + JSON.stringify(row);
    before = ",";
  }
  yield "]}";
}

function* csvParts(preview: PresentedPreview, contents: boolean): Iterable<string> {
  yield csvHead({ compares: preview.compared !== null, contents });
  for (const row of linesOf(preview, contents)) yield csvLine(row);
}

function* icsParts(preview: PresentedPreview): Iterable<string> {
  const { madeAt } = presentAround(preview);
  yield icsHead(preview.name);
  for (const row of preview.rows) yield icsEvent(presentRow(row, preview.clocks, false), preview.name, madeAt);
  yield icsFoot();
}

function* linesOf(
  { rows, compared, clocks }: PresentedPreview,
  contents: boolean,
): Iterable<ApiPreviewRow | ApiPreviewChange> {
  if (compared !== null) for (const change of compared.changes) yield presentChange(change, clocks, contents);
  else for (const row of rows) yield presentRow(row, clocks, contents);
}
