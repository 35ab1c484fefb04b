// The nouns that endpoints are grouped by, in the order in which the reference tells them, and what each is about. Those
// of the installation come last: whoever calls the API most often never needs them.
export const tags = {
  Definitions: "Processes as JSON, stored as versions that never change.",
  Executions: "Living instances of definitions: started, found, read, watched, erased.",
  Steering: "What is done to an execution under way: events, patches, pause, resume, cancel, retry.",
  Reconcilers: "What a reconciler is to come to, and what is seen of it.",
  Events: "Events posted for whichever executions they concern, by a correlation key.",
  Actions: "Single actions without a definition around them, and trying actions out.",
  "Recurring actions": "Actions, and executions of definitions, that start by the calendar.",
  Tasks: "What executions ask of people.",
  "Dead letters": "Runs that failed for good and wait for a person, one by one or by the operation.",
  "Retry policies": "The presets by name, and when each try of a policy would be made.",
  Templates: "The words of messages, stored as versions.",
  Triggers: "Webhooks that start executions or send them events, and what was delivered to them.",
  Connections: "Accounts at providers: what opens them, and how hard they may be pressed.",
  Secrets: "Values that actions need and nobody may see.",
  Subjects: "Whom journeys are about, and what is kept of them beyond any execution.",
  Signers: "The order of nonces of an address on a chain.",
  Signing: "The keys that webhooks are signed with.",
  Alerts: "To whom failures are told, and which.",
  Prices: "What one attempt of an action costs.",
  Monitor: "How executions go, in the paths and shapes that consoles of a journey's executor know.",
  Worker: "What runs and waits, in the paths and shapes that consoles of a reaction worker know.",
  Audit: "Who did what to what, and why.",
  Service: "Whether the service works.",
  "Tenants and keys": "Tenants, the keys of each, and what a tenant has used of its quotas.",
} as const satisfies { readonly [tag: string]: string };

export type Tag = keyof typeof tags;
