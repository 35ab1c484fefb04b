import { expect, test } from "vitest";
import { hasFormat } from "#kernel/declared/text-keywords.ts";
import { schemaFormats, type SchemaFormat } from "#schema/definition/input-schema.ts";

const texts: {
  readonly [format in SchemaFormat]: { readonly good: readonly string[]; readonly bad: readonly string[] };
} = {
  "date-time": {
    good: ["2026-11-18T09:00:00Z", "2026-11-18t09:00:00.123456789123+01:00", "1998-12-31T23:59:60Z"],
    bad: [
      "2026-11-18",
      "2026-11-18T09:00:00",
      "2026-02-30T09:00:00Z",
      "2026-11-18T25:00:00Z",
      "2026-11-18 09:00:00Z",
      "",
    ],
  },
  date: { good: ["2028-02-29"], bad: ["2027-02-29", "18.11.2026", "2026-11-18T00:00:00Z", "2026-W47"] },
  time: { good: ["09:00:00Z", "23:59:59.5-08:00"], bad: ["09:00:00", "9:00:00Z", "24:00:01Z", "09:00:00+25:00"] },
  duration: { good: ["P3D", "PT1H30M", "P1Y2M"], bad: ["P", "3 days", "PT", "p1d"] },
  email: {
    good: ["ada@example.com", "a.b+c@sub.example.co", "x@localhost"],
    bad: [
      "ada",
      "ada@",
      "@example.com",
      "a..b@example.com",
      "ada@example.com ",
      "a b@example.com",
      "ada@-x.de",
      `${"a".repeat(250)}@b.de`,
    ],
  },
  uri: {
    good: ["https://example.com/a?b=c#d", "mailto:ada@example.com", "urn:isbn:1", "https://[::1]:8080/%20"],
    bad: [
      "/a",
      "example.com",
      "https://exa mple.com",
      "https://example.com/%2",
      "https://example.com/<x>",
      "1https://x",
    ],
  },
  uuid: {
    good: ["0b5a9e6c-7c1d-4f0e-9a53-2f1c3d4e5f60", "0B5A9E6C-7C1D-4F0E-9A53-2F1C3D4E5F60"],
    bad: ["0b5a9e6c7c1d4f0e9a532f1c3d4e5f60", "0b5a9e6c-7c1d-4f0e-9a53-2f1c3d4e5f6", "g".repeat(36)],
  },
};

const each = schemaFormats.flatMap((format) => [
  ...texts[format].good.map((text) => [text, format, true] as const),
  ...texts[format].bad.map((text) => [text, format, false] as const),
]);

test.each(each)("%j as a %s: %s", (text, format, is) => {
  expect(hasFormat(format, text)).toBe(is);
});
