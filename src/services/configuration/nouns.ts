// The configuration nouns: every kind of resource that export and apply know.
import { configurationKinds, type ConfigurationKind } from "#schema/configuration/document.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { JsonObject } from "#schema/json.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { pricesConfiguration } from "../actions/prices-configuration.ts";
import { alertChannelBodies, alertChannelNoun } from "../alerts/alert-channels.ts";
import { calendarBodies, deleteCalendar } from "../calendars/calendars.ts";
import { connectionBodies, deleteConnection } from "../connections/connections.ts";
import { putDefinition } from "../definitions/create-definition.ts";
import { definitionNoun } from "../definitions/definition-noun.ts";
import { checkDefinition } from "../definitions/validate-definition.ts";
import { withDefaults } from "../definitions/with-defaults.ts";
import { deleteNamed } from "../named/delete-named.ts";
import { namedConfiguration } from "../named/named-configuration.ts";
import { policyBodies, policyNoun } from "../policies/policies.ts";
import { recurringConfiguration } from "../recurring/recurring-configuration.ts";
import { parseTemplate, putTemplate, templateAsWritten, templateNoun } from "../templates/templates.ts";
import { triggerBodies } from "../triggers/update-trigger.ts";
import { deleteTrigger } from "../triggers/triggers.ts";
import { versionedConfiguration } from "../versioned/versioned-configuration.ts";
import { invalidVersion } from "../versioned/versioned-noun.ts";
import type { ConfigurationContext, ConfigurationNoun } from "./configuration-noun.ts";

const templates = versionedConfiguration("templates", templateNoun, {
  asWritten: templateAsWritten,
  parse: async (_context, body) => parseTemplate(body),
  put: putTemplate,
});

const definitions = versionedConfiguration("definitions", definitionNoun, {
  asWritten: ({ body }) => JSON.parse(body) as JsonObject, // The stored body passed the checks of a definition.
  parse: parseDefinition,
  put: putDefinition,
});

/** Returns the definition as it would be stored, with pinned templates and the defaults of its actions. */
async function parseDefinition(context: ConfigurationContext, body: JsonObject): Promise<Result<JsonObject>> {
  const { deps, caller, templates, calendars } = context;
  const reviewed = await checkDefinition(deps, caller.tenant, body, { isDraft: false, templates, calendars });
  if (!reviewed.ok) return reviewed;
  if (!reviewed.value.ok) return refuse(invalidVersion("definition", reviewed.value.findings));
  const stored: Definition = withDefaults(deps, reviewed.value.definition);
  return accept(JSON.parse(JSON.stringify(stored)) as JsonObject); // The text was just made from a definition.
}

const nouns: { readonly [kind in ConfigurationKind]: ConfigurationNoun } = {
  templates,
  connections: namedConfiguration("connections", connectionBodies, deleteConnection),
  alertChannels: namedConfiguration("alertChannels", alertChannelBodies, (deps, caller, input) =>
    deleteNamed(deps, caller, alertChannelNoun, input),
  ),
  calendars: { ...namedConfiguration("calendars", calendarBodies, deleteCalendar), scope: "write" },
  policies: namedConfiguration("policies", policyBodies, (deps, caller, input) =>
    deleteNamed(deps, caller, policyNoun, input),
  ),
  definitions,
  // A change of a poller's list needs a choice, so it is refused here and made with PUT /v1/triggers/{name}?position=.
  triggers: namedConfiguration("triggers", triggerBodies({ position: null }), deleteTrigger),
  recurring: recurringConfiguration,
  prices: pricesConfiguration,
};

/** The nouns in the order in which their resources are written. */
export const configurationNouns: readonly ConfigurationNoun[] = configurationKinds.map((kind) => nouns[kind]);

export function nounOf(kind: ConfigurationKind): ConfigurationNoun {
  return nouns[kind];
}
