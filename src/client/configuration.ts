// Client calls that write resources of the configuration by their names.
import type { ApiPutAlertChannel } from "#wire/alerts/shape.ts";
import type { ApiPutConnection } from "#wire/connections/shape.ts";
import type { ApiPutDefinition } from "#wire/definitions/shape.ts";
import type { ApiPutTemplate } from "#wire/templates/shape.ts";
import type { ApiPutTrigger } from "#wire/triggers/shape.ts";
import type { JsonObject } from "#schema/json.ts";
import type { CallOptions, Send } from "./request.ts";

/** The answers by noun. The nouns are named as in the paths of the API. */
type Answers = {
  readonly "alert-channels": ApiPutAlertChannel;
  readonly connections: ApiPutConnection;
  readonly definitions: ApiPutDefinition;
  readonly templates: ApiPutTemplate;
  readonly triggers: ApiPutTrigger;
};
/** `ifMatch`: the ETag that was read, in quotes. `ifNoneMatch`: only create. */
export type PutOptions = CallOptions & { readonly ifMatch?: string; readonly ifNoneMatch?: "*" };

export function configuration(send: Send) {
  return {
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
