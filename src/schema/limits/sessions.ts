// Session limits: lifetimes and numbers of browser sessions and short-lived tokens. Lifetimes are ISO 8601 durations.

export const sessionLifetime = { min: "PT1M", max: "P7D", default: "PT12H" } as const;
/** A token cannot be revoked alone, so its lifetime is short. */
export const tokenLifetime = { min: "PT1M", max: "PT1H", default: "PT15M" } as const;
/** The most sessions of an API key. A further session ends the oldest. */
export const SESSIONS_PER_KEY_MAX = 100;
