// Client calls about the configuration: write a resource by its name, export all of it, and apply it.
import type { ApiPutAlertChannel } from "#wire/alerts/shape.ts";
import type { ApiPutCalendar } from "#wire/calendars/shape.ts";
import type { ApiAppliedConfiguration, ApiConfiguration } from "#wire/configuration/document.ts";
import type { ConfigurationKind } from "#schema/configuration/document.ts";
import type { ApiPutConnection } from "#wire/connections/shape.ts";
import type { ApiPutDefinition } from "#wire/definitions/shape.ts";
import type { ApiPutPolicy } from "#wire/policies/shape.ts";
import type { ApiPutTemplate } from "#wire/templates/shape.ts";
import type { ApiPutTrigger } from "#wire/triggers/shape.ts";
import type { JsonObject } from "#schema/json.ts";
import type { CallOptions, Send } from "./request.ts";

/** The answers by noun. The nouns are named as in the paths of the API. */
type Answers = {
  readonly "alert-channels": ApiPutAlertChannel;
  readonly calendars: ApiPutCalendar;
  readonly connections: ApiPutConnection;
  readonly definitions: ApiPutDefinition;
  readonly policies: ApiPutPolicy;
  readonly templates: ApiPutTemplate;
  readonly triggers: ApiPutTrigger;
};
/** `ifMatch`: the ETag that was read, in quotes. `ifNoneMatch`: only create. */
export type PutOptions = CallOptions & { readonly ifMatch?: string; readonly ifNoneMatch?: "*" };

type ApplyOptions = CallOptions & { readonly prune?: boolean; readonly reason?: string };

export function configuration(send: Send) {
  return {
    /** Reads the whole configuration as one document. `kinds`: only these kinds of resources. */
    export: (kinds?: readonly ConfigurationKind[]) =>
      send<ApiConfiguration>({ method: "GET", path: ["v1", "export"], query: { kinds: kinds?.join(",") } }),
    /** Creates and changes resources until they equal the document. `prune`: also deletes resources that it lacks. */
    apply: (document: ApiConfiguration, { prune, reason, ...call }: ApplyOptions = {}) =>
      send<ApiAppliedConfiguration>(
        { method: "POST", path: ["v1", "apply"], body: document, query: { prune, reason } },
        call,
      ),
    /** Creates the resource, or replaces it as a whole. An equal body changes nothing. */
    put: <Noun extends keyof Answers>(
      noun: Noun,
      name: string,
      body: JsonObject,
      { ifMatch, ifNoneMatch, ...call }: PutOptions = {},
    ) =>
      send<Answers[Noun]>(
        {
          method: "PUT",
          path: ["v1", noun, name],
          body,
          headers: {
            ...(ifMatch === undefined ? {} : { "If-Match": ifMatch }),
            ...(ifNoneMatch === undefined ? {} : { "If-None-Match": ifNoneMatch }),
          },
        },
        call,
      ),
  };
}
