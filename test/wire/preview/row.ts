// A row of a preview, to be written one way or the other.
import type { ApiPreviewRow } from "#wire/preview/shape.ts";

export function row(part: Partial<ApiPreviewRow> = {}): ApiPreviewRow {
  return {
    subject: "ada",
    action: "mail",
    nth: 1,
    type: "email",
    place: "asked",
    at: "2026-03-29T01:00:00.000Z",
    local: "2026-03-29T03:00:00",
    utcOffset: "+02:00",
    timezone: "Europe/Zurich",
    dst: "gap",
    plannedAt: "2026-03-29T01:00:00.000Z",
    heldBy: null,
    status: "ok",
    reason: null,
    attempts: 1,
    isSure: false,
    assumes: ["paid comes", "mail succeeds"],
    ...part,
  };
}
