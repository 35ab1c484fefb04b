// Text formats: checks whether a text has one, in time linear in the text.
import { Temporal } from "temporal-polyfill";
import { isDurationText } from "#schema/definition/duration-text.ts";
import type { DeclaredFormat } from "#schema/definition/declared.ts";

export function hasFormat(format: DeclaredFormat, text: string): boolean {
  switch (format) {
    case "date-time":
      return DATE_TIME.test(text) && isDateTime(text);
    case "date":
      return /^\d{4}-\d\d-\d\d$/.test(text) && isReadable(() => Temporal.PlainDate.from(text));
    case "time":
      return TIME.test(text) && isDateTime(`2000-01-01T${text}`);
    case "duration":
      return isDurationText(text);
    case "email":
      return text.length <= EMAIL_CHARS_MAX && EMAIL.test(text);
    case "uri":
      return URI.test(text);
    case "uuid":
      return UUID.test(text);
  }
}

/** The limit of a path in RFC 5321. */
const EMAIL_CHARS_MAX = 254;
const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const TIME = /^\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const EMAIL = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Fractions of a second with more than nine digits are cut, because the calendar does not support them. */
function isDateTime(text: string): boolean {
  const short = text.replace(/(\.\d{9})\d+/, "$1").toUpperCase();
  return isReadable(() => Temporal.Instant.from(short));
}

function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
