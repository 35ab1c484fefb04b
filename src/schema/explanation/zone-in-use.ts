// The time zone of an instant, as explanations show it.

/** `unknownTimezone`: the JSON of a rule's result that is no time zone, so that `timezone` applies instead. */
export type ZoneInUse = { readonly timezone?: string; readonly unknownTimezone?: string };
