// SQL that adds counters in JSON. A row of figures has one JSON object of groups, and each group is an object of
// counters. Projections and the sweeper both add to rows with `ON_CONFLICT`.
import { FIGURE_ERRORS_MAX, FIGURE_GROUPS_MAX, FIGURE_ROW_CHARS_MAX } from "#schema/limits/upkeep/statistics.ts";

/** Adds the values `n` of equal names. As `addCounters` in schema/metrics/counter-names.ts. */
export const ADDED = "CASE WHEN name GLOB '*/min' THEN min(n) WHEN name GLOB '*/max' THEN max(n) ELSE sum(n) END";

/** Selects the counters in the JSON `counters`. */
const countersIn = (counters: string): string =>
  `SELECT g.key AS grp, c.key AS name, c.value AS n FROM json_each(${counters}) g, json_each(g.value) c`;

/** Returns the JSON of the rows that `entries` selects (grp, name, n), which are unique by grp and name. */
const asJson = (entries: string): string =>
  `(SELECT json_group_object(grp, json(counted)) FROM
    (SELECT grp, json_group_object(name, n) AS counted FROM (${entries}) GROUP BY grp))`;

const sum = `SELECT grp, name, ${ADDED} AS n FROM
  (${countersIn("figures.counters")} UNION ALL ${countersIn("excluded.counters")}) GROUP BY grp, name`;

/** The group of all actions and connections of the group's type. The group of executions stays itself. */
const groupOfType = "CASE grp WHEN '' THEN '' ELSE substr(grp, 1, instr(grp, '/')) || '*/*' END";

/**
 * As `sum`, but the groups with few attempts are added up by type, and rare errors in one counter. A tenant may choose
 * the names of connections and the codes of errors, so their number would otherwise be unlimited.
 */
const reduced = `SELECT grp, name, ${ADDED} AS n FROM (
  SELECT grp, CASE WHEN kind IS NOT NULL AND name_rank > ${FIGURE_ERRORS_MAX} THEN kind || '/*/*' ELSE name END AS name, n
  FROM (SELECT grp, name, n, kind, row_number() OVER (PARTITION BY grp, kind ORDER BY n DESC, name) AS name_rank
    FROM (SELECT grp, name, n, CASE WHEN name GLOB 'error/*' THEN 'error' WHEN name GLOB 'failure/*' THEN 'failure' END AS kind
      FROM (${largestGroups(sum)}))))
  GROUP BY grp, name`;

function largestGroups(entries: string): string {
  return `SELECT grp, name, ${ADDED} AS n FROM (
    SELECT CASE WHEN group_rank > ${FIGURE_GROUPS_MAX} THEN ${groupOfType} ELSE grp END AS grp, name, n
    FROM (SELECT grp, name, n, dense_rank() OVER (ORDER BY weight DESC, grp) AS group_rank
      FROM (SELECT grp, name, n, sum(CASE name WHEN 'attempts' THEN n ELSE 0 END) OVER (PARTITION BY grp) AS weight
        FROM (${entries}))))
    GROUP BY grp, name`;
}

/** Adds the inserted row to the stored row of the same key. */
export const ON_CONFLICT = `ON CONFLICT (tenant, step, definition, at, version) DO UPDATE SET
  since = min(figures.since, excluded.since), newest = max(figures.newest, excluded.newest),
  counters = CASE WHEN length(figures.counters) + length(excluded.counters) > ${FIGURE_ROW_CHARS_MAX}
    THEN ${asJson(reduced)} ELSE ${asJson(sum)} END`;

/** Returns the counters of the JSON `counters` with one group per action type. */
export const byType = (counters: string): string =>
  asJson(
    `SELECT grp, name, ${ADDED} AS n FROM
      (SELECT ${groupOfType} AS grp, name, n FROM (${countersIn(counters)})) GROUP BY grp, name`,
  );
