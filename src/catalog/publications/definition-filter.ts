// Definition filters: a filter may name a version as `name@version`, as in the start of an execution.
type DefinitionFilter = { readonly definition?: string | undefined; readonly version?: number | undefined };

const WITH_VERSION = /^(.+)@(\d{1,9})$/;

/**
 * Moves the version of `name@version` into the filter's own field. A filter with two different versions stays as it is,
 * and matches nothing.
 */
export function withVersion<Filter extends DefinitionFilter>(filter: Filter): Filter {
  const [, definition, digits] = WITH_VERSION.exec(filter.definition ?? "") ?? [];
  const version = Number(digits);
  if (definition === undefined || (filter.version ?? version) !== version) return filter;
  return { ...filter, definition, version };
}
