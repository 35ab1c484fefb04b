// A part of a tenant's directory: binds the keeper to the platform, and decides nothing.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "#env";
import { ALARM_HOP_MS_MAX } from "#schema/limits/objects.ts";
import type {
  Directory,
  DirectoryWorkPort,
  Member,
  Posted,
  PostedAnswer,
  PostedQuery,
  PostedRow,
} from "#schema/directory/calls.ts";
import type { Result } from "#schema/refusal.ts";
import { Keeper } from "./keeper.ts";
import { directoryStorage } from "./storage.ts";

/** The Worker's own stateless entrypoint, as the object sees it. */
type Loopback = { readonly DirectoryWork: DirectoryWorkPort };

export class DirectoryObject extends DurableObject<Env> implements Directory {
  readonly #keeper: Keeper;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const [tenant = ""] = (ctx.id.name ?? "").split("/");
    this.#keeper = new Keeper({
      tenant,
      storage: directoryStorage(ctx.storage),
      now: () => Date.now(),
      work: () => (ctx.exports as unknown as Loopback).DirectoryWork, // typed by the Worker's main module, which this room may not import
      arm: (at) => this.#arm(at),
      log: (line) =>
        (line.level === "error" ? console.error : console.log)(JSON.stringify({ directory: ctx.id.name, ...line })),
    });
  }

  enlist(members: readonly Member[]): Promise<void> {
    return this.#keeper.enlist(members);
  }

  post(events: readonly Posted[], dryRun: boolean): Promise<readonly Result<PostedAnswer>[]> {
    return this.#keeper.post(events, dryRun);
  }

  list(query: PostedQuery): Promise<readonly PostedRow[]> {
    return this.#keeper.list(query);
  }

  override alarm(): Promise<void> {
    return this.#keeper.ring();
  }

  #arm(at: number): void {
    const now = Date.now();
    this.ctx.storage
      .setAlarm(Math.min(Math.max(at, now + 1), now + ALARM_HOP_MS_MAX))
      .catch((fault: unknown) =>
        console.error(JSON.stringify({ level: "error", event: "alarm_not_set", message: String(fault) })),
      );
  }
}
