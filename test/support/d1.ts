// Setup of tests in workerd: each test file begins with a catalog that has all migrations and no rows.
import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** Given by vitest.config.ts; the Worker itself has no such binding. */
const { DB, TEST_MIGRATIONS } = env as unknown as { DB: D1Database; TEST_MIGRATIONS: D1Migration[] };

await applyD1Migrations(DB, TEST_MIGRATIONS);
