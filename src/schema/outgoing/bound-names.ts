// Bindings that actions may use: the names in the Worker's variables ACTION_SERVICES and ACTION_DATABASES.
export type BindingNames = { readonly services: readonly string[]; readonly databases: readonly string[] };
