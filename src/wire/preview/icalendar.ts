// Calendars as iCalendar (RFC 5545). A row has the same UID in every preview of the definition. If a client imports a
// later preview, its calendar program therefore moves the event and adds no second one.
import type { ApiPreviewRow } from "./shape.ts";

const OCTETS_A_LINE = 75;

export function icsHead(name: string): string {
  return lines([
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Escapement//Preview//EN",
    "CALSCALE:GREGORIAN",
    `X-WR-CALNAME:${text(name)}`,
  ]);
}

export function icsFoot(): string {
  return lines(["END:VCALENDAR"]);
}

/** Returns the calendar event of a row. Returns an empty text for a row without a date. */
export function icsEvent(row: ApiPreviewRow, name: string, madeAt: string): string {
  const { subject, action, nth, type, at, local, timezone, dst, status, reason, assumes } = row;
  if (at === null) return "";
  const told = [
    `${local} ${timezone}${dst === "none" ? "" : ` (${dst})`}`,
    ...(reason === null ? [] : [`${status}: ${reason}`]),
    ...(assumes.length === 0 ? [] : [`if ${assumes.join(", ")}`]),
  ];
  return lines([
    "BEGIN:VEVENT",
    `UID:${[name, subject, action, nth].map((part) => encodeURIComponent(part)).join("/")}@escapement`,
    `DTSTAMP:${stamp(madeAt)}`,
    `DTSTART:${stamp(at)}`,
    `SUMMARY:${text(`${action}: ${subject}`)}`,
    `DESCRIPTION:${text(told.join("\n"))}`,
    `CATEGORIES:${text(type)}`,
    `STATUS:${status === "skipped" ? "CANCELLED" : assumes.length === 0 ? "CONFIRMED" : "TENTATIVE"}`,
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
  ]);
}

/** Formats an instant as 20260329T070000Z. */
function stamp(instant: string): string {
  return instant.replace(/[-:]/g, "").replace(/\.\d+/, "");
}

function text(value: string): string {
  const escaped = value.replace(/[\\;,]/g, "\\$&").replace(/\r\n|\r|\n/g, "\\n");
  // Removes all control characters except the tab, because iCalendar does not allow them.
  return [...escaped].filter((char) => char >= " " || char === "\t").join("");
}

function lines(content: readonly string[]): string {
  return content.map((each) => `${folded(each)}\r\n`).join("");
}

/** Folds a line after 75 octets, as RFC 5545 requires. A character is never split. */
function folded(line: string): string {
  let folds = "";
  let octets = 0;
  for (const char of line) {
    const size = new TextEncoder().encode(char).byteLength;
    if (octets + size > OCTETS_A_LINE) {
      folds += "\r\n ";
      octets = 1;
    }
    folds += char;
    octets += size;
  }
  return folds;
}
