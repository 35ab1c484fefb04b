// Client calls about definitions, and about previews and forecasts of definitions.
import type * as api from "#wire/definitions/shape.ts";
import type * as publishing from "#wire/definitions/publishing.ts";
import type * as diffing from "#wire/definitions/diffing.ts";
import type * as preview from "#wire/preview/shape.ts";
import type * as forecast from "#wire/forecast/shape.ts";
import type { Page } from "#wire/query.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { CallOptions, Send } from "./request.ts";

/**
 * Options of a publish request. `ifPublication`: the expected number of the last publication. If the actual number
 * differs, the request is refused.
 */
type PublishOptions = CallOptions & { readonly ifPublication?: number };
type PageOptions = { readonly cursor?: string; readonly limit?: number };

export function definitions(send: Send) {
  const at = (...rest: readonly string[]) => ["v1", "definitions", ...rest];
  const post = <Answer>(path: readonly string[], body: unknown, call?: CallOptions) =>
    send<Answer>({ method: "POST", path, body }, call);
  const get = <Answer>(path: readonly string[], query: PageOptions = {}) =>
    send<Answer>({ method: "GET", path, query: { ...query } });
  return {
    create: (body: Definition, call?: CallOptions) => post<api.ApiCreatedDefinition>(at(), body, call),
    /** Stores a draft. A start that names no version never uses a draft. */
    draft: (body: Definition, call?: CallOptions) =>
      send<api.ApiCreatedDefinition>({ method: "POST", path: at(), body, query: { draft: true } }, call),
    /** Publishes a version. A name without a version publishes the newest draft of that name. */
    publish: (ref: string, body: publishing.PublishBody = {}, call?: PublishOptions) =>
      send<publishing.ApiPublishedDefinition>(
        { method: "POST", path: at(ref, "publish"), body, headers: matching(call) },
        call,
      ),
    /**
     * Reverts the last publication. With a version (`order@3`) the request is refused if another version was published
     * last.
     */
    rollBack: (ref: string, body: publishing.RollBackBody = {}, call?: PublishOptions) =>
      send<publishing.ApiRolledBackDefinition>(
        { method: "POST", path: at(ref, "rollback"), body, headers: matching(call) },
        call,
      ),
    /**
     * Returns the diff of two versions. A name without a version compares its newest draft with the published version.
     * Without a draft it compares the last two publications.
     */
    diff: (ref: string, query: diffing.DiffOptions = {}) =>
      send<diffing.ApiDefinitionDiff>({ method: "GET", path: at(ref, "diff"), query: { ...query } }),
    /** Returns the diff of the definition in the body, which need not be stored. */
    diffInline: (body: diffing.DiffInlineBody, query: Omit<diffing.DiffOptions, "to"> = {}) =>
      send<diffing.ApiDefinitionDiff>({ method: "POST", path: at("diff"), body, query: { ...query } }),
    publications: (name: string, query?: PageOptions) =>
      get<Page<publishing.ApiPublication>>(at(name, "publications"), query),
    validate: (body: unknown) => post<api.ApiValidation>(at("validate"), body),
    list: (query?: PageOptions) => get<Page<api.ApiDefinitionSummary>>(at(), query),
    get: (ref: string) => get<api.ApiDefinition>(at(ref)),
    versions: (name: string, query?: PageOptions) => get<Page<api.ApiDefinitionSummary>>(at(name, "versions"), query),
    version: (name: string, version: number) => get<api.ApiDefinition>(at(name, "versions", String(version))),
    archive: (ref: string, body: { readonly reason?: string } = {}, call?: CallOptions) =>
      post<api.ApiArchived>(at(ref, "archive"), body, call),
    /** Runs the tests in the body, or the definition's own tests if the body contains none. */
    test: (ref: string, body: api.TestDefinitionBody = {}) => post<api.ApiTestResults>(at(ref, "test"), body),
    testInline: (body: api.TestInlineBody) => post<api.ApiTestResults>(at("test"), body),
    /** Previews which actions these subjects would get, and when. No execution is started. */
    preview: (ref: string, body: preview.PreviewDefinitionBody) => post<preview.ApiPreview>(at(ref, "preview"), body),
    /** Previews the definition in the body, which need not be stored. */
    previewInline: (body: preview.PreviewInlineBody) => post<preview.ApiPreview>(at("preview"), body),
    /**
     * Forecasts very many executions of the definition: counts, costs, and the time of the last message. No execution
     * is started.
     */
    forecast: (ref: string, body: forecast.ForecastDefinitionBody) =>
      post<forecast.ApiForecast>(at(ref, "forecast"), body),
    /** Forecasts the definition in the body, which need not be stored. */
    forecastInline: (body: forecast.ForecastInlineBody) => post<forecast.ApiForecast>(at("forecast"), body),
  };
}

function matching({ ifPublication }: PublishOptions = {}): { readonly [name: string]: string } {
  return ifPublication === undefined ? {} : { "If-Match": `"${ifPublication}"` };
}
