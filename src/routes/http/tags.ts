// Tags: the nouns that group endpoints in the API reference, in order, each with a description. The tags of the whole
// installation are last, because most clients never need them.
export const tags = {
  Definitions: "Process definitions in JSON, stored as immutable versions.",
  Executions: "Running instances of definitions: start, list, read, watch and erase them.",
  Steering: "Control verbs on a live execution: events, patches, pause, resume, cancel, retry.",
  Reconcilers: "A reconciler's desired state and observations.",
  Events: "Events published to all executions with a correlation key.",
  Actions: "Standalone actions, and tests of actions.",
  "Recurring actions": "Actions, and executions of definitions, that start on a schedule.",
  Tasks: "Work that executions request from people.",
  "Dead letters": "Actions that failed permanently and wait for an operator.",
  "Retry policies": "Named retry policies, and their timetables.",
  Templates: "Message templates, stored as immutable versions.",
  Triggers: "Webhooks and pollers that start executions or send events, and their deliveries.",
  Connections: "Accounts at providers, with credentials and limits.",
  Secrets: "Write-only values that actions need.",
  Suppressions: "Addresses that a tenant's messages must not be sent to.",
  Subjects: "Customers that journeys are about, and their state across executions.",
  "Limits by key": "The use of one key of a limit, such as the runs of one customer.",
  Signers: "The transaction nonces of an address on a blockchain.",
  Signing: "Keys that sign outgoing webhooks.",
  Alerts: "Channels that report failures.",
  Calendars: "Named lists of dates, such as public holidays.",
  Prices: "Prices of one attempt of an action.",
  Configuration: "All resources of a tenant as one document.",
  Monitor: "Progress of executions, with the paths and formats that a journey executor's console expects.",
  Worker: "Running and waiting work, with the paths and formats that a reaction worker's console expects.",
  Audit: "The log of control actions, with the actor and the reason.",
  Service: "Health of the service.",
  "Tenants and keys": "Tenants, their keys, and their quota usage.",
} as const satisfies { readonly [tag: string]: string };

export type Tag = keyof typeof tags;
