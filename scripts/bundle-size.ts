// Bundle size check: fails if the minified Worker exceeds its budget. Raising the budget is a decision that
// docs/decisions records.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The budget in KiB, uncompressed and minified. The platform allows 64 MiB, but a smaller Worker starts faster. */
const BUDGET_KIB = 2_944;

const folder = mkdtempSync(join(tmpdir(), "escapement-bundle-"));
try {
  const { status, stderr } = spawnSync("wrangler", ["deploy", "--dry-run", "--minify", "--outdir", folder], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the bundle could not be made: ${stderr}`);
  const bytes = readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  const kib = Math.round(bytes / 1_024);
  console.log(`bundle: ${kib} KiB of ${BUDGET_KIB} KiB`);
  if (kib > BUDGET_KIB)
    throw new Error(`the bundle outgrew its budget: say why in docs/decisions, and raise BUDGET_KIB`);
} finally {
  rmSync(folder, { recursive: true });
}
