// Users of a calendar: the definitions and recurring actions that name it, and the dates that they have.
import { listFollowers } from "#catalog/calendars/followed-calendars.ts";
import { listCalendarUses, type StoredCalendar } from "#catalog/calendars/stored-calendars.ts";
import { CALENDAR_USERS_NAMED_MAX, CALENDAR_USES_LISTED_MAX } from "#schema/limits/definition-sizes.ts";
import type { Deps } from "../deps.ts";

/**
 * `dates`: `pinned` are those of the definition's publication, `followed` are the latest, and `pending` are earlier ones
 * that the engine replaces within minutes.
 */
export type CalendarUser =
  | { readonly definition: string; readonly version: number; readonly dates: "pinned" }
  | { readonly recurring: string; readonly name: string | null; readonly dates: "followed" | "pending" };

/** Lists the users of the calendar whose latest change was at `updatedAt`. */
export async function usersOf(
  { db }: Pick<Deps, "db">,
  ref: Pick<StoredCalendar, "tenant" | "name">,
  updatedAt: number,
): Promise<readonly CalendarUser[]> {
  const definitions = await listCalendarUses(db, ref.tenant, ref.name, CALENDAR_USES_LISTED_MAX);
  const followers = await listFollowers(db, ref, CALENDAR_USES_LISTED_MAX);
  return [
    ...definitions.map((use) => ({ ...use, dates: "pinned" as const })),
    ...followers.map(({ id, name, since }) => {
      const dates = since < updatedAt ? ("pending" as const) : ("followed" as const);
      return { recurring: id, name, dates };
    }),
  ];
}

/** The refusal of a deletion, which names the users. */
export function inUse(name: string, users: readonly CalendarUser[]) {
  const named = users.map((user) =>
    "definition" in user ? `definition ${user.definition}` : `recurring action ${user.name ?? user.recurring}`,
  );
  const shown = named.slice(0, CALENDAR_USERS_NAMED_MAX).join(", ");
  const more = named.length > CALENDAR_USERS_NAMED_MAX ? ` and ${named.length - CALENDAR_USERS_NAMED_MAX} more` : "";
  return {
    code: "in_use",
    message: `The calendar "${name}" is used by ${shown}${more}.`,
    hint: "Remove the calendar from them first. Publish such a definition again, or archive it.",
    details: { usedBy: users.map((user) => ({ ...user })) },
  } as const;
}
