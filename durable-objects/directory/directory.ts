// Durable Object of one part of a tenant's directory: binds its controller to the platform.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "#env";
import type {
  Directory,
  DirectoryWorkPort,
  KeyRegistration,
  PublishedEvent,
  PublishedEventAnswer,
  PublishedEventQuery,
  PublishedEventRow,
} from "#schema/directory/calls.ts";
import { OBJECT_CALL_MS } from "#schema/limits/alarms.ts";
import type { Result } from "#schema/refusal.ts";
import { hostObject, type Hosted } from "#objects/host/hosted-object.ts";
import { DirectoryController } from "./controller.ts";
import { directoryStorage } from "./storage.ts";

type Entrypoints = { readonly DirectoryWork: DirectoryWorkPort };

export class DirectoryObject extends DurableObject<Env> implements Directory {
  readonly #hosted: Hosted<DirectoryController>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const [tenant = ""] = (ctx.id.name ?? "").split("/");
    this.#hosted = hostObject<Entrypoints, DirectoryController>(
      ctx,
      { object: "directory", levels: env.LOG_LEVELS },
      OBJECT_CALL_MS,
      ({ platform, store, worker }) =>
        new DirectoryController({
          tenant,
          platform,
          storage: directoryStorage(store),
          work: () => worker().DirectoryWork,
        }),
    );
  }

  async registerKeys(members: readonly KeyRegistration[]): Promise<void> {
    return this.#hosted.controller().registerKeys(members);
  }

  async post(events: readonly PublishedEvent[], dryRun: boolean): Promise<readonly Result<PublishedEventAnswer>[]> {
    return this.#hosted.controller().post(events, dryRun);
  }

  async list(query: PublishedEventQuery): Promise<readonly PublishedEventRow[]> {
    return this.#hosted.controller().list(query);
  }

  override alarm(): Promise<void> {
    return this.#hosted.alarm();
  }
}
