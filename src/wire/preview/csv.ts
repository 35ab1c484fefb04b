// Calendars as CSV (RFC 4180), for spreadsheets. A cell that a spreadsheet would execute as a formula gets a leading
// apostrophe.
import type { ApiPreviewChange, ApiPreviewRow } from "./shape.ts";

const columns = [
  ...["subject", "at", "local", "timezone", "dst", "action", "nth", "type", "place"],
  ...["status", "reason", "plannedAt", "heldBy", "attempts", "isSure", "assumes"],
] as const;
type Line = ApiPreviewRow | ApiPreviewChange;

export function csvHead({ compares, contents }: { readonly compares: boolean; readonly contents: boolean }): string {
  return line([...(compares ? ["change", "from"] : []), ...columns, ...(contents ? ["config"] : [])]);
}

export function csvLine(row: Line): string {
  const local = row.local === null ? null : `${row.local}${row.utcOffset}`;
  const cells: { readonly [name: string]: unknown } = { ...row, local, assumes: row.assumes.join("; ") };
  return line([
    ...("change" in row ? [row.change, row.from] : []),
    ...columns.map((name) => cells[name]),
    ...(row.config === undefined ? [] : [row.config === null ? null : JSON.stringify(row.config)]),
  ]);
}

function line(cells: readonly unknown[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = String(value);
  // Some spreadsheets skip white space before they detect a formula, so the pattern accepts white space at the
  // beginning.
  const safe = typeof value === "string" && /^\s*[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
