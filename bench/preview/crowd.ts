// Preview subjects: couples for the example's wedding journey, with dates over two years in six time zones.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { definition, type Definition } from "#schema/definition/definition.ts";
import type { PreviewSubject } from "#services/preview/virtual-subjects.ts";

export const START = Date.UTC(2026, 2, 2, 8);
const DAY_MS = 24 * 60 * 60_000;

const zones = [
  "Europe/Zurich",
  "America/New_York",
  "Asia/Tokyo",
  "Australia/Lord_Howe",
  "America/Lima",
  "Africa/Cairo",
];

export function weddingJourney(): Definition {
  const text = readFileSync(join(import.meta.dirname, "../../examples/wedding/journey.json"), "utf8");
  return definition.parse(JSON.parse(text));
}

export function previewCouples(count: number): readonly PreviewSubject[] {
  return Array.from({ length: count }, (_, n) => {
    const weddingDate = new Date(START + (20 + ((n * 37) % 700)) * DAY_MS).toISOString().slice(0, 10);
    const timezone = zones[n % zones.length] ?? "UTC";
    const variables = {
      coupleId: `c${n}`,
      names: `Couple ${n}`,
      weddingDate,
      timezone,
      email: `c${n}@example.com`,
      phone: "+41791234567",
    };
    return { id: `c${n}`, execution: `exe_c${n}`, variables, startAt: START, given: [] };
  });
}
