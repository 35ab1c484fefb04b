// Store of the sandbox: one Durable Object with the scripts and all received requests. The requests are in SQLite,
// because the crash test kills the process and then queries them. The platform's output gate delays a response until
// the request's row is on disk.
import { DurableObject } from "cloudflare:workers";
import type { SandboxEnv } from "./env.ts";
import * as queries from "./queries.ts";
import type { Received } from "./receive.ts";
import { chooseStep, type Script, scriptFor, type Step } from "./script.ts";

export interface Receipt {
  readonly id: number;
  readonly attempt: number;
  /** The scripted step; null if the provider should answer with its own success. */
  readonly step: Step | null;
}

export class SandboxStore extends DurableObject<SandboxEnv> {
  readonly #sql: SqlStorage;
  #scripts: readonly Script[];
  #commit: Promise<null> | null = null;

  constructor(ctx: DurableObjectState, env: SandboxEnv) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#sql.exec(queries.tables);
    this.#scripts = this.#readScripts();
  }

  /**
   * Each request waits one millisecond, so that concurrent requests share one commit. The sync to disk at each commit
   * is the main cost of a request.
   */
  async receive(received: Received): Promise<Receipt> {
    this.#commit ??= scheduler.wait(1).then(() => (this.#commit = null));
    await this.#commit;
    return this.#record(received);
  }

  putScript(script: Script): void {
    const put = "INSERT OR REPLACE INTO scripts (path, script, matched) VALUES (?, ?, 0)";
    this.#sql.exec(put, script.path, JSON.stringify(script));
    this.#scripts = this.#readScripts();
  }

  listScripts(): readonly Script[] {
    return this.#scripts;
  }

  clearScripts(path?: string): number {
    const cleared = this.#scripts.filter((script) => path === undefined || script.path === path);
    for (const script of cleared) this.#sql.exec("DELETE FROM scripts WHERE path = ?", script.path);
    this.#scripts = this.#readScripts();
    return cleared.length;
  }

  listRequests(query: queries.RequestQuery) {
    return queries.listRequests(this.#sql, query);
  }

  clearRequests(path?: string): number {
    return queries.clearRequests(this.#sql, path);
  }

  listItems(query: queries.ItemQuery) {
    return queries.listItems(this.#sql, query);
  }

  listKeys(query: queries.PageQuery) {
    return queries.listKeys(this.#sql, query);
  }

  listEffects(query: queries.EffectQuery) {
    return queries.listEffects(this.#sql, query);
  }

  /**
   * Stores state of an imitated provider as text, unless the key already has a value. Returns the stored value.
   * `keptMs`: how long the value is kept; absent: the value never expires.
   */
  storeOnce(key: string, value: string, keptMs?: number): string {
    return queries.storeOnce(this.#sql, key, value, keptMs === undefined ? null : Date.now() + keptMs, Date.now());
  }

  /** Stores state that replaces the key's earlier value. */
  storeValue(key: string, value: string): void {
    queries.storeValue(this.#sql, key, value);
  }

  storedValue(key: string): string | null {
    return queries.storedValue(this.#sql, key, Date.now());
  }

  #record(received: Received): Receipt {
    const { path, key } = received;
    const attempt = queries.attemptsOf(this.#sql, path, key) + 1;
    const id = queries.insertRequest(this.#sql, received, attempt);
    const script = scriptFor(this.#scripts, path);
    // The request's number is counted only for a script with everyNth, because counting costs a write.
    const nth = script?.everyNth ? queries.countMatch(this.#sql, script.path) : 0;
    return { id, attempt, step: chooseStep(script, { seed: key ?? path, attempt, nth }) };
  }

  #readScripts(): readonly Script[] {
    const rows = this.#sql.exec<{ script: string }>("SELECT script FROM scripts ORDER BY path");
    // `putScript` wrote this JSON from a parsed script.
    return [...rows].map((row) => JSON.parse(row.script) as Script);
  }
}
