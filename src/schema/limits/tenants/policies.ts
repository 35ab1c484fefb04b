// Limits of a tenant's policies.

/** The most action types of one policy. */
export const POLICY_TYPES_MAX = 20;
/** The oldest view of a tenant's policies with which an attempt is made while D1 answers. */
export const POLICIES_STALE_MS = 30_000;
/** How long an attempt waits for a newer view. After this time it uses the cached one. */
export const POLICIES_LOOK_MS = 2_000;
/** How many openings a search for a common opening of several windows checks. */
export const COMMON_OPENINGS_MAX = 64;
