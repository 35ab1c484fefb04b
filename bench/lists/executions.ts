// Executions of the bench of lists: a tenant with a million executions in thirty days, and the rows that search them.
import type { DatabaseSync } from "node:sqlite";

export const TENANT = "bench";
export const START = Date.UTC(2027, 0, 1);
export const EVERY_MS = 2_592;

/**
 * Of a hundred executions, 70 have completed, 10 have failed, 2 were canceled and 18 are live. A definition in a
 * thousand executions and an error in ten thousand are rare.
 */
const EXECUTIONS = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)
INSERT INTO executions (tenant, created_at, id, seq, namespace, definition_id, definition_name, definition_version,
  placement, status, states, correlation_id, updated_at, finished_at, wake_at, error, trigger_id, trigger_kind, subject,
  search, waits, error_code, checks, check_at)
SELECT '${TENANT}', ${START} + i * ${EVERY_MS}, printf('exe_%024d', i), 3, CASE WHEN i % 50 = 0 THEN 'eu' ELSE 'default' END,
  'def_' || (i % 20), CASE WHEN i % 1000 = 0 THEN 'rare' ELSE 'order_' || (i % 20) END, 1 + (i / 500000), 'pooled',
  CASE WHEN i % 100 < 70 THEN 'completed' WHEN i % 100 < 80 THEN 'failed' WHEN i % 100 < 82 THEN 'canceled' ELSE 'waiting' END,
  CASE WHEN i % 100 < 70 THEN '["done"]' WHEN i % 100 < 82 THEN '["stopped"]' WHEN i % 3 = 0 THEN '["open.review"]' ELSE '["open.payment"]' END,
  CASE WHEN i % 4 = 0 THEN 'order-' || (i / 400) END, ${START} + i * ${EVERY_MS} + 60000,
  CASE WHEN i % 100 < 82 THEN ${START} + i * ${EVERY_MS} + 60000 END,
  CASE WHEN i % 100 >= 82 THEN ${START} + i * ${EVERY_MS} + 86400000 * (1 + i % 30) END,
  CASE WHEN i % 100 BETWEEN 70 AND 79 THEN 'timeout: the provider did not answer' END,
  CASE WHEN i % 10 = 0 THEN 'trg_1' END, CASE WHEN i % 10 = 0 THEN 'webhook' END, CASE WHEN i % 5 = 0 THEN 'customer-' || (i % 10000) END,
  json_object('orderId', 'A-' || i, 'total', i % 5000, 'due', ${START} + i * ${EVERY_MS} + 864000000),
  CASE WHEN i % 100 < 82 THEN NULL WHEN i % 500 = 99 THEN '["connection:mail"]' WHEN i % 3 = 0 THEN '["task","timer"]' ELSE '["event:payment.captured","timer"]' END,
  CASE WHEN i % 100 NOT BETWEEN 70 AND 79 THEN NULL WHEN i % 10000 = 70 THEN 'card_declined' ELSE 'timeout' END,
  CASE WHEN i % 2000 = 99 THEN 2 END, CASE WHEN i % 2000 = 99 THEN ${START} END
FROM n`;

const VALUES = `INSERT INTO execution_variables SELECT tenant, v.key, v.value, created_at, e.id FROM executions e, json_each(search) v`;

export function addRows(database: DatabaseSync, count: number): void {
  database.prepare(EXECUTIONS).run(count);
  database.exec(VALUES);
}
